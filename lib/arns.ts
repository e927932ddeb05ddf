import { ArnFormat, Aws, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Returns the ARN of a resource in the account and region of a stack. */
export const arnOf = (
  scope: Construct,
  service: string,
  resource: string,
  resourceName: string,
  arnFormat = ArnFormat.SLASH_RESOURCE_NAME,
): string => Stack.of(scope).formatArn({ service, resource, resourceName, arnFormat });

/** Returns the ARN of a bucket, or of objects in it: in any account and region. */
export const bucketArn = (name: string): string => `arn:${Aws.PARTITION}:s3:::${name}`;
