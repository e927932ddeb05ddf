import { App } from 'aws-cdk-lib';
import { full } from '../docs/examples/full.ts';
import { ChainInsightsStack } from '../lib/chain-insights-stack.ts';

/* The CDK app of the example with every setting: the only template with a domain, a web ACL, a VPC, a KMS key, an authorizer and a budget. */

new ChainInsightsStack(new App(), 'ChainInsights-full', full);
