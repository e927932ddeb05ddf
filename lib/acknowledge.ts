import { type IResolvable, Stack, Tokenization, Validations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Acknowledges findings of the rule sets (checks.ts) on a construct, with the reason why each is acceptable. */
export function acknowledge(scope: Construct, reason: string, ...ids: readonly string[]): void {
  Validations.of(scope).acknowledge(...ids.map((id) => ({ id, reason })));
}

/** Acknowledges wildcards, as the statements of a role or policy name them: each separately, so that a new one is still reported. */
export function acknowledgeWildcards(scope: Construct, resources: readonly string[], reason: string): void {
  const ids = resources.map((resource) => `AwsSolutions-IAM5[Resource::${asReported(scope, resource)}]`);
  acknowledge(scope, reason, ...ids);
}

/** Returns a resource as the rule set writes it: with references to other resources in angle brackets. */
function asReported(scope: Construct, resource: string): string {
  const mapToken = (token: IResolvable) => {
    const { Ref, 'Fn::GetAtt': path } = Stack.of(scope).resolve(token);
    return `<${Ref ?? path.join('.')}>`;
  };
  const parts = Tokenization.reverseString(resource).mapTokens({ mapToken });
  return String(parts.join({ join: (left, right) => `${left}${right}` }));
}
