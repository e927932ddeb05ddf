import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
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

/**
 * AWS Control Tower's proactive controls. Of 237, about 200 are on kinds of resources that our templates do not have. They would find
 * nothing, in five sixths of the time.
 */
function controlTowerChecks(): IPolicyValidationPlugin {
  return {
    name: new CfnGuardValidator().name,
    validate: (context) => {
      const guard = new CfnGuardValidator({ disabledRules: rulesWithoutUse(context.templatePaths) });
      const { success, violations } = guard.validate(context);
      // It gives no severity, and once one finding is acknowledged, CDK lets all others pass that have none.
      return { success, violations: violations.map((violation) => ({ ...violation, severity: 'error' })) };
    },
  };
}

/** Names of the rules that name no kind of resource that the templates name. */
function rulesWithoutUse(templatePaths: readonly string[]): string[] {
  const kindsIn = (file: string) => readFileSync(file, 'utf8').match(/AWS::\w+::\w+/g) ?? [];
  const kinds = new Set(templatePaths.flatMap(kindsIn));
  const library = createRequire(import.meta.url).resolve('@cdklabs/cdk-validator-cfnguard/package.json');
  return globSync(join(library, '../rules/control-tower/**/*.guard'))
    .filter((file) => !kindsIn(file).some((kind) => kinds.has(kind)))
    .map((file) => basename(file, '.guard'));
}
