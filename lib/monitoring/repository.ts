import * as z from 'zod/mini';

const schema = z.object({ repository: z.optional(z.union([z.string(), z.object({ url: z.string() })])) });

/** Returns the web address in `repository` of package.json, which each fork sets for itself; undefined without an https URL. */
export function repositoryOf(packageJson: object): string | undefined {
  const { repository } = schema.parse(packageJson);
  const url = typeof repository === 'object' ? repository.url : repository;
  return /^(?:git\+)?(https:\/\/.+?)(?:\.git)?$/.exec(url ?? '')?.[1];
}
