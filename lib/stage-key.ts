import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Config } from './config.ts';

/* The customer-managed key of a stage. docs/operate/settings.md lists what its policy must allow. */

type KeyOf = Pick<Config, 'kmsKeyArn'>;

/** Returns the stage's key for a resource, or undefined when AWS owns the keys. @param id of the resource */
export const stageKey = (scope: Construct, id: string, { kmsKeyArn }: KeyOf): IKey | undefined =>
  kmsKeyArn === undefined ? undefined : Key.fromKeyArn(scope, `${id}Key`, kmsKeyArn);

/** Allows the use of the stage's key, if it has one, through one service alone. */
export const keyStatements = (
  { kmsKeyArn }: KeyOf,
  service: 'dynamodb' | 's3' | 'sns' | 'sqs',
  ...actions: readonly `kms:${string}`[]
): PolicyStatement[] =>
  kmsKeyArn === undefined
    ? []
    : [
        new PolicyStatement({
          actions: [...actions],
          resources: [kmsKeyArn],
          conditions: { StringEquals: { 'kms:ViaService': `${service}.${Aws.REGION}.amazonaws.com` } },
        }),
      ];
