import { Duration } from 'aws-cdk-lib';
import {
  AuthorizationType,
  LambdaIntegration,
  type MethodDeploymentOptions,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import {
  EMBED_PATH,
  OTHER_PATH,
  PUBLIC_DAYS_PATH,
  PUBLIC_FILES_PATH,
  pageMethods,
  pagePaths,
  SITE_FOLDER,
} from '../../lambda/pages/paths.ts';
import { acknowledge } from '../acknowledge.ts';
import { bucketArn } from '../arns.ts';
import { allowOpenObjects } from '../backup/backup.ts';
import { type Config, chainList } from '../config.ts';
import { keyStatements } from '../encrypted-resources.ts';
import { ServiceFunction } from '../service-function.ts';
import { callLogging, methodLogging } from './logs.ts';

/** Serves the explorer and the API reference from the API's own origin: no key, no CORS, no bucket and no distribution. */
export function addPages(scope: Construct, api: RestApi, bucket: string, settings: Settings, config: Config) {
  const { publicDays, publicFiles, embedOrigins, keyUrl } = settings;
  const pages = new ServiceFunction(scope, 'pages', {
    entry: 'pages',
    description: 'Serves the explorer and the API reference',
    variables: {
      siteFolder: SITE_FOLDER,
      offeredChains: chainList(config),
      ...callLogging(config),
      ...(keyUrl !== undefined && { keyUrl }),
      ...(publicDays !== undefined && { publicDaysBucket: bucket }),
      ...(publicFiles !== undefined && { publicFilesBucket: bucket }),
      ...(embedOrigins.length > 0 && { embedOrigins: embedOrigins.join(' ') }),
    },
    memorySize: 512,
    timeout: Duration.seconds(5),
    config,
  });
  allowOpenObjects(pages, bucket, config, 's3:GetObject');
  if (publicDays !== undefined || publicFiles !== undefined)
    pages.allow(
      // Without it, S3 reports an object that is not yet written as denied.
      new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucketArn(bucket)] }),
      ...keyStatements(config, 's3', 'kms:Decrypt'),
    );
  const integration = new LambdaIntegration(pages.function, { allowTestInvoke: false });
  for (const path of pathsOf(settings)) {
    for (const verb of pageMethods) {
      const method = api.root
        .resourceForPath(path)
        .addMethod(verb, integration, { apiKeyRequired: false, authorizationType: AuthorizationType.NONE });
      acknowledge(
        method,
        'Pages are public: they are the same for everyone, and hold only the days that the stage opens.',
        'AwsSolutions-APIG4',
      );
    }
  }
  return pages;
}

type Settings = NonNullable<Config['pages']>;

const pathsOf = ({ publicDays, publicFiles, embedOrigins }: Settings): readonly string[] => [
  ...pagePaths,
  ...(embedOrigins.length > 0 ? [EMBED_PATH] : []),
  ...(publicDays === undefined ? [] : [PUBLIC_DAYS_PATH]),
  ...(publicFiles === undefined ? [] : [PUBLIC_FILES_PATH]),
];

/** Shared by all visitors, because pages are public. A first visit sends one request for each of four files, and one for the open days. */
const LIMIT = { throttlingRateLimit: 20, throttlingBurstLimit: 400 };

/** A file with all days of a chain has megabytes, so that data out would cost much more than pages. Scanners ask for what no page has. */
const LOW_LIMIT = { throttlingRateLimit: 1, throttlingBurstLimit: 50 };
const rarelyRead: readonly string[] = [PUBLIC_FILES_PATH, OTHER_PATH];

export const pageThrottling = (config: Config): Record<string, MethodDeploymentOptions> =>
  Object.fromEntries(
    (config.pages ? pathsOf(config.pages) : []).flatMap((path) =>
      pageMethods.map((method) => [
        `${path}/${method}`,
        { ...(rarelyRead.includes(path) ? LOW_LIMIT : LIMIT), ...methodLogging(config) },
      ]),
    ),
  );
