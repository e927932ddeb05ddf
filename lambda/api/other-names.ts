import { type ChainName, chainNames, chainOf } from '../../core/chains/chains.ts';
import type { Interval } from '../../core/figures/calendar.ts';
import { nearest } from './nearest.ts';

/** Names that other services and libraries give to chains, without separators and `mainnet`. */
const chainAliases: Readonly<Partial<Record<ChainName, string>>> = {
  ETHEREUM: 'eth homestead',
  ARBITRUM: 'arb arb1',
  BSC: 'bnb bnbchain binance binancesmartchain',
  OPTIMISM: 'op',
  POLYGON: 'matic pol',
  ARBITRUM_NOVA: 'nova',
  GNOSIS: 'xdai gno gnosischain',
};

const intervalAliases: Readonly<Record<Interval | 'hour', string>> = {
  hour: 'hourly 1h h',
  day: 'daily 1d d',
  week: 'weekly 1w w',
  month: 'monthly 1m m',
  quarter: 'quarterly 1q q',
  year: 'yearly annual annually 1y y',
};

const normalize = (word: string): string => word.toLowerCase().replaceAll(/[\s_-]|mainnet/g, '');

/** Only errors need these names, so that a cold start does not wait for them. */
const readNames = (): Map<string, string> =>
  new Map([
    ...chainNames.flatMap((name) =>
      [chainOf(name).title, String(chainOf(name).id), name].map((other) => [normalize(other), name] as const),
    ),
    ...[...Object.entries(chainAliases), ...Object.entries(intervalAliases)].flatMap(([name, aliases]) =>
      aliases.split(' ').map((alias) => [alias, name] as const),
    ),
  ]);

/** Returns our name of what others call `word`: a chain by its coin, ID or another spelling, or an interval. */
const ourNameOf = (word: string): string | undefined => readNames().get(normalize(word));

/** Returns a question that completes a message, such as "; did you mean ETHEREUM?", or nothing if no known name is near. */
export function suggestion(word: string, known: readonly string[]): string {
  const ours = ourNameOf(word);
  const meant = known.find((name) => name === ours) ?? nearest(word, known);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

/** Says which values are allowed, and which one was probably meant. */
export function oneOfMessage(known: readonly string[], input: unknown): string {
  return `must be one of ${known.join(', ')}${suggestion(typeof input === 'string' ? input : '', known)}`;
}
