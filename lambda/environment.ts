/** Names of the environment variables that the stack gives the functions, declared once for both sides. */
export const environment = {
  tableName: 'TABLE_NAME',
  /** The library's own name of it. Two stages in one account are kept apart by it. */
  metricsNamespace: 'POWERTOOLS_METRICS_NAMESPACE',
  corsOrigins: 'CORS_ORIGINS',
  /** Where the files of the pages are. */
  siteFolder: 'SITE_FOLDER',
} as const;

/** @throws Error naming the variable when it is not set */
export function fromEnvironment(variable: keyof typeof environment): string {
  const name = environment[variable];
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set`);
  return value;
}
