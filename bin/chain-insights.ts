import { App } from 'aws-cdk-lib';
import { ChainInsightsStack } from '../lib/chain-insights-stack.ts';
import { readConfig } from '../lib/config.ts';

/* The CDK app: npx cdk synth, npx cdk deploy. It is configured by the context `chain-insights` in cdk.json. */

const app = new App();
try {
  new ChainInsightsStack(app, 'ChainInsights', readConfig(app.node.tryGetContext('chain-insights')));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
