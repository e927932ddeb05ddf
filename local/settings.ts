import * as z from 'zod';
import { type ChainName, chainNames } from '../lambda/chains/chains.ts';
import type { UtcDay } from '../lambda/chains/utc-day.ts';

/** What `npm start` is told by its environment; docs/local.md describes each variable. */
export interface Settings {
  readonly port: number;
  readonly apiKey: string;
  /** Real nodes, for the chains that are not to be development chains. */
  readonly rpcUrls: ReadonlyMap<ChainName, readonly string[]>;
  /** First day to ingest; the development chains' first when undefined. */
  readonly startDay: UtcDay | undefined;
  readonly everySeconds: number;
  readonly dataDir: string | undefined;
}

const RPC_PREFIX = 'RPC_URLS_';

const numberFrom = (min: number, max: number, fallback: number) => {
  const error = `must be a number from ${min} to ${max}`;
  return z.coerce.number(error).min(min, error).max(max, error).default(fallback);
};

const schema = z.object({
  PORT: numberFrom(0, 65_535, 3_000).refine(Number.isInteger, 'must be a whole number'),
  API_KEY: z.string().default('local-key'),
  INGEST_START_DATE: z.iso.date('must be a day as YYYY-MM-DD').optional(),
  INGEST_EVERY_SECONDS: numberFrom(0.1, 86_400, 5),
  DATA_DIR: z.string().optional(),
  rpcUrls: z.map(
    z.enum(chainNames, `must be RPC_URLS_ and one of ${chainNames.join(', ')}`),
    z
      .array(z.url({ protocol: /^https?$/, error: 'must be http or https URLs, separated by commas' }))
      .min(1, 'must name at least one URL'),
  ),
});

/** @throws Error in one sentence that names each variable that is wrong; it never repeats a URL, which may hold a secret */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  // An empty variable is one that is not set.
  const set = Object.entries(environment).filter(([, value]) => value);
  const rpcUrls = set
    .filter(([name]) => name.startsWith(RPC_PREFIX))
    .map(([name, value = '']) => [name.slice(RPC_PREFIX.length), urlsOf(value)] as const);
  const settings = schema.safeParse({ ...Object.fromEntries(set), rpcUrls: new Map(rpcUrls) });
  if (!settings.success) {
    const problems = settings.error.issues.map(({ path, message }) => `${variableOf(path)} ${message}`);
    throw new Error(`The environment is not valid: ${problems.join('; ')}.`);
  }
  const { PORT, API_KEY, INGEST_START_DATE, INGEST_EVERY_SECONDS, DATA_DIR } = settings.data;
  return {
    port: PORT,
    apiKey: API_KEY,
    rpcUrls: settings.data.rpcUrls,
    startDay: INGEST_START_DATE,
    everySeconds: INGEST_EVERY_SECONDS,
    dataDir: DATA_DIR,
  };
}

const urlsOf = (list: string) =>
  list
    .split(',')
    .map((url) => url.trim())
    .filter(Boolean);

const variableOf = ([name, chain]: readonly PropertyKey[]): string =>
  name === 'rpcUrls' ? `${RPC_PREFIX}${String(chain)}` : String(name);
