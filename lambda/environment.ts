import { type ChainName, chainNames } from '../core/chains/chains.ts';

/** Environment variables that the stack sets and the functions read. */
export const environment = {
  tableName: 'TABLE_NAME',
  /** Named by Powertools. It separates the metrics of two stages in one account. */
  metricsNamespace: 'POWERTOOLS_METRICS_NAMESPACE',
  stackId: 'STACK_ID',
  corsOrigins: 'CORS_ORIGINS',
  /** Set where each call is logged. */
  accessLog: 'ACCESS_LOG',
  siteFolder: 'SITE_FOLDER',
  /** The first day to ingest of each chain, as JSON by the chain's name. */
  startDates: 'START_DATES',
  /** Names of the chains of the stage, separated by commas. */
  offeredChains: 'OFFERED_CHAINS',
  /** Names of the chains whose data is invented, separated by commas. */
  sampleChains: 'SAMPLE_CHAINS',
  embedOrigins: 'EMBED_ORIGINS',
  /** Address to ask for a key: an https or mailto URL. */
  keyUrl: 'KEY_URL',
  publicDaysBucket: 'PUBLIC_DAYS_BUCKET',
  /** Number of latest days of each chain that the daily export opens to everyone. */
  publicDays: 'PUBLIC_DAYS',
  /** Licence of the files with all final days, which the daily export opens to everyone. */
  publicFiles: 'PUBLIC_FILES',
  publicFilesBucket: 'PUBLIC_FILES_BUCKET',
  /** URL of another service, with whose public files the daily export compares the days. */
  compareWith: 'COMPARE_WITH',
  /** URL of the API, as its clients call it. */
  apiUrl: 'API_URL',
  /** SSM SecureString with the key of the probe. */
  probeKeyParameter: 'PROBE_KEY_PARAMETER',
  exportBucket: 'EXPORT_BUCKET',
  /** ARN of the topic that receives the daily email. */
  noticeTopic: 'NOTICE_TOPIC',
  /** ARN of the topic of pages; not set where nobody wants emails. */
  pageTopic: 'PAGE_TOPIC',
  stackName: 'STACK_NAME',
} as const;

/** @throws Error when the variable is not set */
export function fromEnvironment(variable: keyof typeof environment): string {
  const name = environment[variable];
  const value = process.env[name];
  if (!value)
    throw new Error(
      `The environment variable ${name} is not set. The stack sets it: deploy the function again.`,
    );
  return value;
}

/** Returns the chains that the stage reads; all where none are set, as in tests of a single function. */
export function offeredChains(): readonly ChainName[] {
  const named = process.env[environment.offeredChains]?.split(',') ?? [];
  const known = chainNames.filter((name) => named.includes(name));
  return known.length > 0 ? known : chainNames;
}
