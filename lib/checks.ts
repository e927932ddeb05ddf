import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { CfnGuardValidator } from '@cdklabs/cdk-validator-cfnguard';
import { type App, type IPolicyValidationPlugin, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/** Lets `cdk synth` fail on findings of two rule sets that are not acknowledged (acknowledge.ts). The second runs on Linux and macOS only. */
export function addChecks(app: App): void {
  const validations = Validations.of(app);
  validations.addPlugins(withoutDeclined(new AwsSolutionsChecks(app)));
  if (['linux', 'darwin'].includes(process.platform)) validations.addPlugins(withoutDeclined(controlTower));
}

/** AWS Control Tower's proactive controls. */
const controlTower: IPolicyValidationPlugin = {
  name: new CfnGuardValidator().name,
  validate: (context) =>
    new CfnGuardValidator({ disabledRules: inapplicableRules(context.templatePaths) }).validate(context),
};

function withoutDeclined(plugin: IPolicyValidationPlugin): IPolicyValidationPlugin {
  return {
    name: plugin.name,
    validate: (context) => {
      const violations = plugin
        .validate(context)
        .violations.filter(({ ruleName }) => !(ruleName in declined))
        // Without a severity, CDK ignores all findings once one of them is acknowledged.
        .map((violation) => ({ ...violation, severity: 'error' }));
      return { success: violations.length === 0, violations };
    },
  };
}

/** Rules that this service does not follow, for any resource, each with the reason. */
const declined: Readonly<Record<string, string>> = {
  'AwsSolutions-APIG2':
    'The functions validate requests, so that a response names every invalid field at once.',
  'AwsSolutions-COG4': 'API keys identify and meter callers. docs/operate/security.md lists their limits.',
  'AwsSolutions-S1': 'As s3_bucket_logging_enabled_check.',
  'AwsSolutions-SF2': 'As step_functions_state_machine_tracing_enabled_check.',
  'AwsSolutions-SQS3': 'As sqs_dlq_check.',
  api_gw_xray_enabled_check: 'A request calls one function, and both log how long it took.',
  cloudwatch_alarm_action_check:
    'A composite alarm acts for its alarms, and the daily email lists the others.',
  cloudwatch_log_group_retention_period_check: 'Each stage chooses it: logRetentionDays.',
  lambda_function_public_access_prohibited_check:
    'It cannot read the composed ARN of a permission of this API.',
  lambda_inside_vpc_check: 'A VPC would add a NAT gateway. The setting vpc names one.',
  s3_bucket_logging_enabled_check:
    'Only the service and its operators read the buckets. The figures in them are public.',
  s3_bucket_object_lock_enabled_check: 'Exports have versions, and reports are not needed later.',
  s3_bucket_versioning_enabled_check: 'Reports have unique names.',
  s3_event_notifications_enabled_check: 'Nothing waits for an object.',
  sqs_dlq_check: 'The only queue is a dead-letter queue.',
  step_functions_state_machine_tracing_enabled_check:
    'The history of an execution has each state with its times.',
};

/** Lists the rules that concern none of the templates' resource types: about 200 of 237, which would take five sixths of the time. */
function inapplicableRules(templatePaths: readonly string[]): string[] {
  const typesIn = (file: string) => readFileSync(file, 'utf8').match(/AWS::\w+::\w+/g) ?? [];
  const types = new Set(templatePaths.flatMap(typesIn));
  const library = createRequire(import.meta.url).resolve('@cdklabs/cdk-validator-cfnguard/package.json');
  return globSync(join(library, '../rules/control-tower/**/*.guard'))
    .filter((file) => !typesIn(file).some((type) => types.has(type)))
    .map((file) => basename(file, '.guard'));
}
