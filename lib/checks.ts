import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { CfnGuardValidator } from '@cdklabs/cdk-validator-cfnguard';
import { type App, type IPolicyValidationPlugin, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/**
 * Checks every synthesized template against two rule sets. A finding fails `cdk synth` unless the code acknowledges it with a reason
 * (acknowledge.ts). The second rule set runs on Linux and macOS only.
 */
export function addChecks(app: App): void {
  const validations = Validations.of(app);
  validations.addPlugins(new AwsSolutionsChecks(app));
  if (['linux', 'darwin'].includes(process.platform)) validations.addPlugins(controlTowerChecks());
}

/**
 * AWS Control Tower's proactive controls. About 200 of the 237 concern resource types that our templates lack, and would take five
 * sixths of the time, so they are disabled.
 */
function controlTowerChecks(): IPolicyValidationPlugin {
  return {
    name: new CfnGuardValidator().name,
    validate: (context) => {
      const guard = new CfnGuardValidator({ disabledRules: inapplicableRules(context.templatePaths) });
      const { success, violations } = guard.validate(context);
      // Without a severity, CDK ignores all findings once one of them is acknowledged.
      return { success, violations: violations.map((violation) => ({ ...violation, severity: 'error' })) };
    },
  };
}

/** Lists the rules that concern none of the templates' resource types. */
function inapplicableRules(templatePaths: readonly string[]): string[] {
  const typesIn = (file: string) => readFileSync(file, 'utf8').match(/AWS::\w+::\w+/g) ?? [];
  const types = new Set(templatePaths.flatMap(typesIn));
  const library = createRequire(import.meta.url).resolve('@cdklabs/cdk-validator-cfnguard/package.json');
  return globSync(join(library, '../rules/control-tower/**/*.guard'))
    .filter((file) => !typesIn(file).some((type) => types.has(type)))
    .map((file) => basename(file, '.guard'));
}
