import { fileURLToPath } from 'node:url';
import { Duration, Validations } from 'aws-cdk-lib';
import {
  AuthorizationType,
  LambdaIntegration,
  type MethodDeploymentOptions,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import { pagePaths } from '../../lambda/pages/paths.ts';
import type { Config } from '../config.ts';
import { ServiceFunction } from '../service-function.ts';
import { methodLogging } from './logs.ts';

const SITE_FOLDER = 'site';

/**
 * Serves the pages for people: to everybody, since their calls of the API carry the key. It is the API itself that does, so
 * that they are of one origin and CORS stays off; a bucket and a distribution would be two more things to deploy and keep.
 */
export function addPages(scope: Construct, api: RestApi, config: Config): ServiceFunction {
  const pages = new ServiceFunction(scope, 'pages', {
    entry: 'pages',
    description: 'Serves the explorer and the reference of the API',
    addFiles: (folder) => `node "${BUILD_SITE}" "${folder}/${SITE_FOLDER}"`,
    variables: { siteFolder: SITE_FOLDER },
    memorySize: 512,
    timeout: Duration.seconds(5),
    config,
  });
  const integration = new LambdaIntegration(pages.function, { allowTestInvoke: false });
  for (const path of pagePaths) {
    const method = api.root.resourceForPath(path).addMethod('GET', integration, {
      apiKeyRequired: false,
      authorizationType: AuthorizationType.NONE,
    });
    Validations.of(method).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: 'It gives pages that are the same for everybody, and no figures.',
    });
  }
  return pages;
}

const BUILD_SITE = fileURLToPath(new URL('../../bin/build-site.ts', import.meta.url));

/** A limit of their own, since strangers load them: a page takes up to six assets the first time, and one request after. */
export const pagesThrottling = (config: Config): Record<string, MethodDeploymentOptions> =>
  Object.fromEntries(
    pagePaths.map((path) => [
      `${path}/GET`,
      { throttlingRateLimit: 2, throttlingBurstLimit: 100, ...methodLogging(config) },
    ]),
  );
