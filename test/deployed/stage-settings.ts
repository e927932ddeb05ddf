import { type ChainName, chainNames } from '#core/chains/chains.ts';
import { addDays, type UtcDay } from '#core/figures/calendar.ts';
import type { Stage } from '#lib/config.ts';
import { BACKFILL_DAYS, type KnownChain } from './known-chain.ts';
import type { Options, Target } from './options.ts';

/** An origin whose pages may call the updated stage. */
export const ORIGIN = 'https://app.example';
/** A tier that only the updated stage has. */
export const NEW_TIER = 'partner';
/** A chain that a stage in an account reads from public nodes. */
export const PUBLIC_CHAIN: ChainName = 'OPTIMISM';

/** Returns the first day of the public chain: a complete one, so that a run has blocks to read. */
export const publicDay = (today: UtcDay): UtcDay => addDays(today, -1);

/** Returns the name of the SSM parameter with the URLs of a chain's nodes. */
export const parameterOf = (stageName: string, chain: string): string =>
  `/chain-insights-trial/${stageName}/${chain.toLowerCase()}`;

/** The default tier. */
const STANDARD = { ratePerSecond: 10, requestsPerMonth: 100_000 };

/** Returns the settings of the first deployment. Every release must know each of these fields. */
export function firstSettings(
  { stage, account }: Pick<Options, 'stage' | 'account'>,
  { region, isEmulator }: Target,
  known: readonly KnownChain[],
  today: UtcDay,
): Stage {
  const chains = chainNames.map((name) => {
    const chain = known.find((one) => one.name === name);
    const startDate = chain?.days[BACKFILL_DAYS];
    if (startDate) return [name, { startDate, endpointsParameter: parameterOf(stage, name) }];
    const isPublic = name === PUBLIC_CHAIN && !isEmulator;
    return [name, isPublic ? { startDate: publicDay(today) } : { enabled: false }];
  });
  return {
    ...(account !== undefined && { env: { account, region } }),
    chains: Object.fromEntries(chains),
    logRetentionDays: 1,
  };
}

/** Returns the settings of the update: a new tier, CORS on, a probe, one chain off. */
export const updatedSettings = (first: Stage, disabled: ChainName): Stage => ({
  ...first,
  chains: { ...first.chains, [disabled]: { enabled: false } },
  tiers: { standard: STANDARD, [NEW_TIER]: STANDARD },
  corsOrigins: [ORIGIN],
  probe: true,
});
