import { posix } from 'node:path';
import * as z from 'zod';

/*
 * What `sam local` needs of a template is more than what is deployed: it sets no variable that a function does not declare,
 * and names functions by their logical IDs alone, where a construct is deeper than two levels.
 */

const resourceSchema = z.looseObject({
  Type: z.string(),
  Properties: z.looseObject({}).optional(),
  Metadata: z.record(z.string(), z.unknown()).optional(),
});
const functionSchema = z.looseObject({
  Properties: z.looseObject({
    Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }),
  }),
  Metadata: z.looseObject({
    'aws:cdk:path': z.string(),
    'aws:asset:path': z.string(),
  }),
});
const templateSchema = z.looseObject({ Resources: z.record(z.string(), resourceSchema) });

type Resource = z.output<typeof resourceSchema>;

interface SamOptions {
  /** Where the folder that the template comes from is, seen from where the copy will be. */
  readonly from: string;
  /** The bundles hold no machine code, so they need not be run on the one that AWS runs them on. */
  readonly architecture: 'arm64' | 'x86_64';
  /** What each function is told beside what it declares, and in place of it. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A copy of a synthesized template for `sam local`, in which functions have the names of their files in lambda/. */
export function samTemplateOf(template: unknown, options: SamOptions): z.output<typeof templateSchema> {
  const { Resources, ...rest } = templateSchema.parse(template);
  const copies = Object.entries(Resources).map(([id, resource]) => [id, copyOf(resource, options)]);
  return { ...rest, Resources: Object.fromEntries(copies) };
}

function copyOf(resource: Resource, { from, architecture, variables }: SamOptions): Resource {
  // SAM warns of each path that is deeper than it can read.
  const { 'aws:cdk:path': _, ...metadata } = resource.Metadata ?? {};
  if (resource.Type !== 'AWS::Lambda::Function') return { ...resource, Metadata: metadata };
  const { Properties, Metadata } = functionSchema.parse(resource);
  return {
    ...resource,
    Properties: {
      ...Properties,
      Architectures: [architecture],
      Environment: { Variables: { ...Properties.Environment.Variables, ...variables } },
    },
    Metadata: {
      ...metadata,
      SamResourceId: nameOf(Metadata['aws:cdk:path']),
      'aws:asset:path': posix.join(from, Metadata['aws:asset:path']),
    },
  };
}

/** Its path ends with the ID of its ServiceFunction, `Function` and `Resource`. */
const nameOf = (path: string) => path.split('/').at(-3)?.toLowerCase();
