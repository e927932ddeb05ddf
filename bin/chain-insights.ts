import { App } from 'aws-cdk-lib';
import { ChainInsightsStack } from '../lib/chain-insights-stack.ts';
import { addChecks } from '../lib/checks.ts';
import { stageOf, withAlarmEmail } from '../lib/config.ts';
import { stages } from '../lib/stages/stages.ts';

/* The CDK app: npx cdk synth, npx cdk deploy. -c stage=prod selects the stage prod instead of dev, -c alarmEmail=… its address. */

const app = new App();
try {
  const stage = String(app.node.tryGetContext('stage') ?? 'dev');
  const email: unknown = app.node.tryGetContext('alarmEmail');
  const given = email === undefined ? stages : withAlarmEmail(stages, stage, String(email));
  new ChainInsightsStack(app, `ChainInsights-${stage}`, stageOf(stage, given));
  addChecks(app);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
