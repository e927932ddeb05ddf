import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, CfnResource, type Stack } from 'aws-cdk-lib';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { ChainInsightsStack } from '../../lib/chain-insights-stack.ts';
import { readConfig } from '../../lib/config.ts';

const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));

/**
 * Bundles the stack's functions as a deployment does.
 * @param folder output folder
 * @param extend adds functions to the stack
 * @returns paths of the bundles, by ID of the construct that contains the function
 */
export function bundleFunctions(
  folder: string,
  extend: (stack: Stack) => void = () => {},
): Map<string, string> {
  const app = new App({ outdir: folder, context: { ...context, 'aws:cdk:enable-asset-metadata': true } });
  const stack = new ChainInsightsStack(app, 'Bundles', readConfig('empty', { empty: {} }));
  extend(stack);
  const functions = stack.node.findAll().filter((construct) => construct instanceof NodejsFunction);
  return new Map(
    functions.map((each) => [each.node.scope?.node.id ?? '', join(folder, assetOf(each), 'index.js')]),
  );
}

/** Returns the folder of a function's bundle, relative to the app's output. */
function assetOf({ node }: NodejsFunction): string {
  if (!CfnResource.isCfnResource(node.defaultChild))
    throw new Error(`${node.path} has no CloudFormation resource.`);
  return node.defaultChild.getMetadata('aws:asset:path');
}
