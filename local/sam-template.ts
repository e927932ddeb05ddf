import { posix } from 'node:path';
import * as z from 'zod';

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
  /** Path of the template's folder, relative to that of the copy. */
  readonly from: string;
  /** Architecture of this machine. Bundles contain no machine code, so it may differ from the deployed one. */
  readonly architecture: 'arm64' | 'x86_64';
  /** Environment variables of each function, which override those it declares. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Adapts a synthesized template to `sam local`: names functions by their files in lambda/, and declares all variables, because sam
 * sets no others.
 */
export function samTemplateOf(template: unknown, options: SamOptions): z.output<typeof templateSchema> {
  const { Resources, ...rest } = templateSchema.parse(template);
  const copies = Object.entries(Resources).map(([id, resource]) => [id, copyOf(resource, options)]);
  return { ...rest, Resources: Object.fromEntries(copies) };
}

function copyOf(resource: Resource, { from, architecture, variables }: SamOptions): Resource {
  // SAM warns about paths of nested constructs.
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

/** A function's path ends with the ID of its ServiceFunction, `Function` and `Resource`. */
const nameOf = (path: string) => path.split('/').at(-3)?.toLowerCase();
