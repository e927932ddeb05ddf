import { isIPv4 } from 'node:net';
import * as z from 'zod';
import { firstGloasEpoch } from '../core/chains/beacon-choice.ts';
import { type ChainName, chainNames, chainOf, defaultChainNames } from '../core/chains/chains.ts';
import { addDays, dayOf, resolveRelativeDay } from '../core/figures/calendar.ts';
import { HOST_PATTERN } from '../core/figures/day-figures.ts';
import { countHosts, optionProblem, splitUrls } from '../core/rpc/endpoint.ts';
import {
  beaconNetworkSchema,
  type ChainSettings,
  chainSettings,
  gloasEpochSchema,
} from '../core/settings/chain-settings.ts';
import { licence, wholeNumber } from '../core/settings/field-kinds.ts';
import { countEdits } from '../lambda/api/nearest.ts';
import { isLoopback, LOOPBACK } from './listen.ts';

/** Everyone can read this key here, so it is refused where other machines reach the API. */
export const DEFAULT_KEY = 'local-key';
const MIN_OWN_KEY_LENGTH = 16;

const numberOf = <T>(setting: z.core.$ZodType<T, number>) => z.string().transform(Number).pipe(setting);

const SECONDS = 'must be a number from 0.1 to 86400';

const HTTP = /^https?$/;
const HTTP_URLS = { protocol: HTTP, error: 'must be http or https URLs, separated by commas' };

const urlsOf = (url: z.ZodURL) =>
  z.string().transform(splitUrls).pipe(z.array(url).min(1, 'must name at least one URL'));

/** The chains that prove which block is final, and those of them that do it with a beacon chain. */
const provable = chainNames.filter((name) => chainOf(name).finality);
const withBeacons = provable.filter((name) => chainOf(name).finality?.kind === 'sync committee');

/** Returns the schema of variables whose names begin with a prefix and end with the name of a chain. */
const byChain =
  (names: readonly ChainName[], kind: string) =>
  <T extends z.core.$ZodType>(prefix: string, value: T) =>
    z.map(
      z.enum(names, `names no ${kind}. Expected ${prefix} followed by one of ${names.join(', ')}`),
      value,
    );
const ofChains = byChain(chainNames, 'known chain');
const ofProvable = byChain(provable, 'chain that proves which block is final');
const ofBeacons = byChain(withBeacons, 'chain with a beacon chain');

const beaconUrls = urlsOf(z.url(HTTP_URLS));
const gloasEpoch = numberOf(gloasEpochSchema);
const beaconNetwork = z
  .string()
  .transform((text, { issues }) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      issues.push({ code: 'custom', message: 'must be JSON', input: text });
      return z.NEVER;
    }
  })
  .pipe(beaconNetworkSchema);

const settingsSchema = z.object({
  HOST: z.ipv4('must be an IPv4 address').default(LOOPBACK),
  PORT: numberOf(wholeNumber(0, 65_535)).default(3_000),
  API_KEY: z.string().default(DEFAULT_KEY),
  INGEST_START_DATE: z
    .string()
    .transform((day) => resolveRelativeDay(day, addDays(dayOf(Date.now() / 1_000), -1)) ?? day)
    .pipe(z.iso.date('must be a day as YYYY-MM-DD, yesterday or 30-days-ago'))
    .optional(),
  INGEST_EVERY_SECONDS: numberOf(z.number(SECONDS).min(0.1, SECONDS).max(86_400, SECONDS)).default(5),
  EVENTS_WEBHOOK_URL: z.url({ protocol: HTTP, error: 'must be an http or https URL' }).optional(),
  CHAINS: z
    .string()
    .transform((list) =>
      list
        .toUpperCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    )
    .pipe(
      z.array(z.enum(chainNames, `must be names of chains, separated by commas: ${chainNames.join(', ')}`)),
    )
    .optional(),
  DATA_DIR: z.string().optional(),
  PUBLIC_DAYS: z.optional(licence),
  TABLE_HOST: z.ipv4('must be an IPv4 address').default(LOOPBACK),
  TABLE_PORT: numberOf(wholeNumber(0, 65_535)).default(0),
  RPC_URLS_: ofChains(
    'RPC_URLS_',
    urlsOf(
      z.url({ ...HTTP_URLS, hostname: HOST_PATTERN }).superRefine((value, context) => {
        const url = URL.parse(value);
        const message = url ? optionProblem(url) : undefined;
        if (message) context.addIssue(message);
      }),
    ),
  ),
  CONFIRMATIONS_: ofChains('CONFIRMATIONS_', numberOf(chainSettings.confirmations.def.innerType)),
  EVIDENCE_: ofChains('EVIDENCE_', chainSettings.evidence),
  QUORUM_: ofChains('QUORUM_', numberOf(chainSettings.quorum.def.innerType)),
  FINALITY_: ofProvable('FINALITY_', chainSettings.finality),
  CHECKPOINT_: ofProvable('CHECKPOINT_', chainSettings.checkpoint),
  BEACON_URLS: beaconUrls.optional(),
  BEACON_URLS_: ofBeacons('BEACON_URLS_', beaconUrls),
  BEACON_GLOAS_EPOCH: gloasEpoch.optional(),
  BEACON_GLOAS_EPOCH_: ofBeacons('BEACON_GLOAS_EPOCH_', gloasEpoch),
  BEACON_NETWORK: beaconNetwork.optional(),
  BEACON_NETWORK_: ofBeacons('BEACON_NETWORK_', beaconNetwork),
});

type Set = z.output<typeof settingsSchema>;

/** Returns the settings of a chain's beacon chain. Those that name no chain are meant for the only one. */
const beaconOf = (set: Set, name: ChainName) => ({
  urls: set.BEACON_URLS_.get(name) ?? set.BEACON_URLS,
  gloasEpoch: set.BEACON_GLOAS_EPOCH_.get(name) ?? set.BEACON_GLOAS_EPOCH,
  network: set.BEACON_NETWORK_.get(name) ?? set.BEACON_NETWORK,
});

const runs = ({ CHAINS = defaultChainNames, RPC_URLS_ }: Set, name: ChainName) =>
  CHAINS.includes(name) || RPC_URLS_.has(name);

/** Yields errors of settings of beacon chains: the names of variables, and messages. */
function* beaconProblems(set: Set): Iterable<[path: string[], message: string]> {
  const real = withBeacons.filter((name) => set.RPC_URLS_.has(name));
  for (const name of ['BEACON_URLS', 'BEACON_GLOAS_EPOCH', 'BEACON_NETWORK'] as const)
    if (real.length > 1 && set[name] !== undefined)
      yield [[name], `must end with the name of one of ${real.join(', ')}, as in ${name}_${real[0]}`];
  for (const name of withBeacons.filter((one) => runs(set, one))) {
    const { network, gloasEpoch } = beaconOf(set, name);
    if (gloasEpoch === undefined) continue;
    const path = set.BEACON_GLOAS_EPOCH_.has(name) ? ['BEACON_GLOAS_EPOCH_', name] : ['BEACON_GLOAS_EPOCH'];
    if (network) yield [path, 'must not be set beside BEACON_NETWORK, whose forks have Gloas'];
    const first = firstGloasEpoch(chainOf(name));
    if (gloasEpoch < first) yield [path, `must be a whole number of at least ${first}`];
  }
}

/** Prefixes of variables whose names end with a chain's name. */
const prefixes = Object.keys(settingsSchema.shape).filter((name) => name.endsWith('_'));

/** Refuses a setting of a chain that is misspelled by one character, such as RPC_URL_BASE. What is less similar may be another program's. */
function misspelling([name]: readonly [string, unknown]): string[] {
  const chain = chainNames.find((one) => name.endsWith(one)) ?? '';
  const meant = Object.entries(settingsSchema.shape).find(
    ([prefix, { def }]) =>
      'keyType' in def &&
      def.keyType.safeParse(chain).success &&
      countEdits(name.slice(0, -chain.length), prefix) === 1,
  );
  return meant ? [`${name} is not a setting. Expected ${meant[0]}${chain}`] : [];
}

const OWN_KEY = `must be a key of your own with at least ${MIN_OWN_KEY_LENGTH} characters, because HOST lets other machines call the API`;

const schema = settingsSchema
  .check(({ value: set, issues }) => {
    const refuse = (path: string[], message: string) =>
      issues.push({ code: 'custom', path, message, input: undefined });
    const isOwnKey = set.API_KEY !== DEFAULT_KEY && set.API_KEY.length >= MIN_OWN_KEY_LENGTH;
    // Invalid variables have errors of their own.
    if (isIPv4(set.HOST) && !isLoopback(set.HOST) && !isOwnKey) refuse(['API_KEY'], OWN_KEY);
    if (issues.length > 0) return;
    const { QUORUM_: quorums, RPC_URLS_: rpcUrls, FINALITY_: policies, EVIDENCE_: evidence } = set;
    for (const [chain, quorum] of quorums) {
      // A development chain has one node.
      const hosts = countHosts(rpcUrls.get(chain) ?? ['http://localhost']);
      if (quorum <= hosts) continue;
      refuse(['QUORUM_', chain], `must be no more than ${hosts}, the number of its hosts`);
    }
    for (const [path, message] of beaconProblems(set)) refuse(path, message);
    for (const [chain, policy] of policies) {
      if (policy !== 'proven' || (evidence.get(chain) ?? 'proven') === 'proven') continue;
      const problem = 'must not be proven beside weaker evidence: only a hash ties blocks to a proof';
      refuse(['FINALITY_', chain], problem);
    }
  })
  .transform((set) => ({
    /** Address of the API: by default only this machine can reach it. */
    api: { host: set.HOST, port: set.PORT },
    apiKey: set.API_KEY,
    /** The chains to run: those that are named, or the usual ones; and each with real nodes. */
    chains: chainNames.filter((name) => runs(set, name)),
    /** URLs of real nodes. Other chains are development chains. */
    rpcUrls: set.RPC_URLS_,
    /** Settings of each chain, as a stage has them. */
    settingsOf: (name: ChainName): ChainSettings => ({
      confirmations: set.CONFIRMATIONS_.get(name),
      evidence: set.EVIDENCE_.get(name),
      quorum: set.QUORUM_.get(name),
      finality: set.FINALITY_.get(name),
      beacon: beaconOf(set, name),
      checkpoint: set.CHECKPOINT_.get(name),
    }),
    /** First day to ingest. Defaults to that of the development chains. */
    startDay: set.INGEST_START_DATE,
    everySeconds: set.INGEST_EVERY_SECONDS,
    /** Receives an event for each day that becomes final or is restated. */
    eventsWebhookUrl: set.EVENTS_WEBHOOK_URL,
    dataDir: set.DATA_DIR,
    /** Licence of the files with all final days, for everyone. */
    publicDays: set.PUBLIC_DAYS,
    /** Address of the table: by default a free port that only this machine can reach. */
    table: { host: set.TABLE_HOST, port: set.TABLE_PORT },
  }));

/** Settings of `npm start` from environment variables, which docs/local.md describes. */
export type Settings = z.output<typeof schema>;

/** @throws Error that names each invalid variable, without values: a URL may contain a secret */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  // Treats an empty variable as unset.
  const set = Object.entries(environment).filter(([, value]) => value);
  const valuesOf = (prefix: string) =>
    set.flatMap(([name, value = '']) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
    );
  const settings = schema.safeParse({
    ...Object.fromEntries(set),
    ...Object.fromEntries(prefixes.map((prefix) => [prefix, new Map(valuesOf(prefix))])),
  });
  const misspelled = set.flatMap(misspelling);
  if (settings.success && misspelled.length === 0) return settings.data;
  const problems = [...misspelled, ...(settings.error?.issues.map(describe) ?? [])];
  throw new Error(`Invalid environment: ${problems.join('; ')}.`);
}

/** Names the variable, and the field of an object in it, but not the place in a list. */
function describe({ path: [name = '', ...inside], message }: z.core.$ZodIssue): string {
  // Some have the messages of a stage's fields.
  const problem = message.replace(/^expected/, 'must be');
  if (typeof name === 'string' && prefixes.includes(name)) return `${name}${String(inside[0])} ${problem}`;
  return `${[name, ...inside].filter((part) => typeof part === 'string').join('.')} ${problem}`;
}
