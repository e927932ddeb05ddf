import { CfnGuardValidator } from '@cdklabs/cdk-validator-cfnguard';
import { type App, type IPolicyValidationPlugin, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/**
 * Has two rule sets look at whatever is synthesized: what they find, and nobody has acknowledged beside the code with a
 * reason, ends `cdk synth`. The second comes as a program for Linux and macOS only.
 */
export function addChecks(app: App): void {
  const validations = Validations.of(app);
  validations.addPlugins(new AwsSolutionsChecks(app));
  if (['linux', 'darwin'].includes(process.platform)) validations.addPlugins(controlTowerChecks());
}

/** AWS Control Tower's proactive controls. */
function controlTowerChecks(): IPolicyValidationPlugin {
  const guard = new CfnGuardValidator();
  return {
    name: guard.name,
    // It gives no severity, and once one finding is acknowledged, CDK lets all others pass that have none.
    validate: (context) => {
      const { success, violations } = guard.validate(context);
      return { success, violations: violations.map((violation) => ({ ...violation, severity: 'error' })) };
    },
  };
}
