import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Adds an output of the stack. Commands and docs read it by its key. */
export function output(scope: Construct, key: string, value: string, description?: string): void {
  new CfnOutput(scope, `Output${key}`, { key, value, ...(description && { description }) });
}
