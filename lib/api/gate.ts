import { Duration, Lazy } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IVersion } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { ServiceFunction } from '../service-function.ts';

/** A function that tries new versions of the query functions before they get traffic. */
export class Gate extends Construct {
  readonly gate: ServiceFunction;
  private readonly versions: Record<string, string> = {};

  constructor(scope: Construct, id: string, config: Pick<Config, 'chains' | 'protect' | 'logRetentionDays'>) {
    super(scope, id);
    this.gate = new ServiceFunction(this, 'gate', {
      entry: 'gate',
      description: 'Tries new versions of the query functions before a release',
      variables: {
        releasedVersions: Lazy.string({ produce: () => JSON.stringify(this.versions) }),
        probedChains: JSON.stringify(config.chains.map(({ name }) => name)),
      },
      memorySize: 256,
      timeout: Duration.minutes(2),
      config,
    });
  }

  /** Adds a version to those that it tries. */
  tryVersion(name: string, { functionArn }: IVersion): void {
    this.versions[name] = functionArn;
    const invoke = { actions: ['lambda:InvokeFunction'], resources: [functionArn] };
    this.gate.role.addToPrincipalPolicy(new PolicyStatement(invoke));
  }
}
