import { App } from 'aws-cdk-lib';
import { ChainInsightsStack } from '../lib/chain-insights-stack.ts';
import { addChecks } from '../lib/checks.ts';
import { stageOf } from '../lib/config.ts';
import { stages } from '../lib/stages/stages.ts';

/* The CDK app: npx cdk synth, npx cdk deploy. -c stage=prod selects the stage prod instead of dev, -c alarmEmail=… its address, -c env=… its account. */

const app = new App();
try {
  const name = String(app.node.tryGetContext('stage') ?? 'dev');
  const alarmEmail = app.node.tryGetContext('alarmEmail');
  const [account, region] = String(app.node.tryGetContext('env') ?? '').split('/');
  const stage = {
    ...stageOf(name, stages),
    ...(account && { env: { account, region: region ?? '' } }),
    // GitHub passes a variable that is not set as an empty text.
    ...(Boolean(alarmEmail) && { alarmEmail: String(alarmEmail) }),
  };
  new ChainInsightsStack(app, `ChainInsights-${name}`, stage);
  addChecks(app);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
