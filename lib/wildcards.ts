import { Stack, Tokenization, Validations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import * as z from 'zod';

/**
 * Acknowledges that a role or policy names resources by a wildcard, each of them alone: any other is found as before.
 * @param resources as its statements name them
 */
export function acknowledgeWildcards(scope: Construct, resources: readonly string[], reason: string): void {
  for (const resource of resources) {
    const id = `AwsSolutions-IAM5[Resource::${asFound(scope, resource)}]`;
    Validations.of(scope).acknowledge({ id, reason });
  }
}

const referenceSchema = z.union([
  z.object({ Ref: z.string() }).transform(({ Ref }) => `<${Ref}>`),
  z
    .object({ 'Fn::GetAtt': z.array(z.string()) })
    .transform(({ 'Fn::GetAtt': path }) => `<${path.join('.')}>`),
]);

/** A resource as the rule set writes it, with what is known only once it is deployed in pointed brackets. */
function asFound(scope: Construct, resource: string): string {
  const parts = Tokenization.reverseString(resource).mapTokens({
    mapToken: (token) => referenceSchema.parse(Stack.of(scope).resolve(token)),
  });
  return z.string().parse(parts.join({ join: (left, right) => `${left}${right}` }));
}
