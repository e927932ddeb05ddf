import { Duration } from 'aws-cdk-lib';
import {
  AuthorizationType,
  LambdaIntegration,
  type MethodDeploymentOptions,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import { pageMethods, pagePaths, SITE_FOLDER } from '../../lambda/pages/paths.ts';
import { acknowledge } from '../acknowledge.ts';
import type { Config } from '../config.ts';
import { ServiceFunction } from '../service-function.ts';
import { methodLogging } from './logs.ts';

/**
 * Serves the explorer and the API reference without a key. The API itself serves them, so that the pages have its origin and need no
 * CORS, and no bucket and distribution have to be deployed.
 */
export function addPages(scope: Construct, api: RestApi, config: Config): ServiceFunction {
  const pages = new ServiceFunction(scope, 'pages', {
    entry: 'pages',
    description: 'Serves the explorer and the API reference',
    variables: {
      siteFolder: SITE_FOLDER,
      ...(config.keyUrl !== undefined && { keyUrl: config.keyUrl }),
      ...(config.embedOrigins.length > 0 && { embedOrigins: config.embedOrigins.join(' ') }),
    },
    memorySize: 512,
    timeout: Duration.seconds(5),
    isTraced: config.tracing,
    config,
  });
  const integration = new LambdaIntegration(pages.function, { allowTestInvoke: false });
  for (const path of pagePaths) {
    for (const verb of pageMethods) {
      const method = api.root
        .resourceForPath(path)
        .addMethod(verb, integration, { apiKeyRequired: false, authorizationType: AuthorizationType.NONE });
      acknowledge(
        method,
        'Pages are public: they are the same for everyone and contain no figures.',
        'AwsSolutions-APIG4',
      );
    }
  }
  return pages;
}

/** Throttles pages separately, because they are public. A first visit sends one request and up to six for assets. */
export const pageThrottling = (config: Config): Record<string, MethodDeploymentOptions> =>
  Object.fromEntries(
    pagePaths.flatMap((path) =>
      pageMethods.map((method) => [
        `${path}/${method}`,
        { throttlingRateLimit: 2, throttlingBurstLimit: 100, ...methodLogging(config) },
      ]),
    ),
  );
