import * as z from 'zod';
import { chainNames } from '../lambda/chains/chains.ts';

const integer = (min: number, max: number) => {
  const error = `expected a whole number from ${min} to ${max}`;
  return z.int(error).min(min, error).max(max, error);
};

const configSchema = z.strictObject({
  /** Chains that are ingested. */
  chains: z
    .array(z.enum(chainNames, `expected one of ${chainNames.join(', ')}`))
    .min(1, 'expected at least one chain')
    .default([...chainNames]),
  /** First day to ingest. Earlier days of a chain's history cost RPC calls, which public endpoints limit. */
  startDate: z.iso.date('expected a day as YYYY-MM-DD').default('2026-11-01'),
  /** For chains whose nodes lack the `finalized` tag: how many blocks must follow one before it counts as final. */
  confirmations: z
    .partialRecord(z.enum(chainNames, `expected one of ${chainNames.join(', ')}`), integer(1, 100_000))
    .default({}),
  ingestEveryMinutes: integer(1, 60).default(5),
  /** The usage plan: requests a second and in a burst, and requests a month, of each key. */
  ratePerSecond: integer(1, 10_000).default(10),
  burst: integer(1, 5_000).default(20),
  requestsPerMonth: integer(1, 1_000_000_000).default(100_000),
});

/** What a deployment may choose. Each member has a default, so nothing need be configured. */
export type Config = z.output<typeof configSchema>;

/**
 * Reads the configuration from the CDK context `chain-insights` (cdk.json).
 * @throws Error that names each wrong field and what is allowed there
 */
export function readConfig(context: unknown = {}): Config {
  const config = configSchema.safeParse(context);
  if (config.success) return config.data;
  const problems = config.error.issues.map(
    ({ path, message }) => `  ${['chain-insights', ...path].join('.')}: ${message}`,
  );
  throw new Error(`The configuration in cdk.json is not valid:\n${problems.join('\n')}`);
}
