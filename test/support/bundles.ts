import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, CfnResource, type Stack } from 'aws-cdk-lib';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { stackOf } from './stack.ts';

const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));

/**
 * Bundles the functions of the stack, as a deployment does.
 * @param folder where to
 * @param addTo puts more functions into the stack
 * @returns the path of each bundle, by the ID of the construct that its function is in
 */
export function bundlesIn(folder: string, addTo: (stack: Stack) => void = () => {}): Map<string, string> {
  const app = new App({ outdir: folder, context: { ...context, 'aws:cdk:enable-asset-metadata': true } });
  const stack = stackOf({}, app);
  addTo(stack);
  const functions = stack.node.findAll().filter((construct) => construct instanceof NodejsFunction);
  return new Map(
    functions.map((each) => [each.node.scope?.node.id ?? '', join(folder, assetOf(each), 'index.js')]),
  );
}

/** The folder that it is deployed from, seen from that of the app. */
function assetOf({ node }: NodejsFunction): string {
  if (!CfnResource.isCfnResource(node.defaultChild)) throw new Error('A function is made of something else');
  return node.defaultChild.getMetadata('aws:asset:path');
}
