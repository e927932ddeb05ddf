import { isDeepStrictEqual } from 'node:util';
import { addDays, type UtcDay } from '#core/figures/calendar.ts';
import type { DayFigures } from '#core/figures/day-figures.ts';
import { boundsOf } from '#core/figures/fee-buckets.ts';
import type { Totals } from '#core/figures/totals.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { getCheckpoint, listRestatements } from '#core/store/days/checkpoints.ts';
import { decodeStoredDay, figuresOf } from '#core/store/days/day-item.ts';
import { listFinalDays } from '#core/store/days/days.ts';
import { getDetails } from '#core/store/days/details.ts';
import { type ChainStore, chainStore, type Table } from '#core/store/table/table.ts';
import type { RandomChain } from '#test/support/generators/random/random-chain.ts';

/** Figures with the ground that they stand on. */
interface JudgedDay extends DayFigures {
  readonly evidence: 'proven' | 'checked';
  readonly provenBlocks: number;
  readonly hours: readonly Totals[];
  /** Numbers of transactions by the lowest fee of their bucket. */
  readonly feeCounts: ReadonlyMap<bigint, number>;
}

async function readDay(store: ChainStore, day: UtcDay) {
  const { table, chain } = store;
  const item = await table.getItem({ chain, date: day });
  if (!item) return undefined;
  const stored = decodeStoredDay(item);
  const { evidence, proven_blocks: provenBlocks } = stored;
  const { revision } = stored;
  const details = await getDetails(store, { day, revision });
  if (!details) throw new ViolationError(`${day} has no details of revision ${revision}`);
  const { hours } = details;
  const feeCounts = new Map([...details.feeCounts].map(([bucket, count]) => [boundsOf(bucket).from, count]));
  return { revision, judged: { ...figuresOf(stored), evidence, provenBlocks, hours, feeCounts } };
}

/** A violated invariant. */
export class ViolationError extends Error {}

/** Compares the table with the expected figures. */
export interface Oracle {
  /**
   * Returns the revision of a stored day.
   * @throws ViolationError when it is not exact
   */
  readonly checkDay: (day: UtcDay) => Promise<number | undefined>;
  /** @throws ViolationError when the sums that are shown of a running day are not exact, or fall although they were proven */
  readonly checkSums: (day: UtcDay) => Promise<void>;
  /** @throws ViolationError when the coverage includes a missing day, or any day was not exact at any time */
  readonly checkCoverage: () => Promise<void>;
  /** Returns the first missing part of the table, or undefined when it is complete. */
  readonly whatIsMissing: () => Promise<string | undefined>;
}

export function oracleOf({ chain, blocks, expected, totalsOf }: RandomChain, table: Table): Oracle {
  const store = chainStore(table, chain);
  const days = [...expected.keys()];
  const [from = '', last = ''] = [days[0], days.at(-1)];

  const expectedOf = (day: UtcDay): JudgedDay | undefined => {
    const found = expected.get(day);
    if (!found) return undefined;
    const { parentHash, first, last, provenBlocks, isStartHashed, hours, feeCounts, ...totals } = found;
    const evidence = provenBlocks === totals.blocks && isStartHashed ? 'proven' : 'checked';
    return {
      day,
      totals,
      parentHash,
      first,
      last,
      definitionVersion: 1,
      evidence,
      provenBlocks,
      hours,
      feeCounts,
    };
  };
  /** No hash covers the times of blocks before Nitro, so a host may move one between hours; whose day it is, the hosts vote. */
  const comparable = (day: Pick<JudgedDay, 'first'>) => {
    const { rules } = chain;
    const isTimed =
      rules.family !== 'arbitrum' || (day.first?.number ?? rules.nitroBlock) >= rules.nitroBlock;
    return isTimed ? day : { ...day, hours: undefined };
  };
  let violation: ViolationError | undefined;
  const checkDay = async (day: UtcDay) => {
    const stored = await readDay(store, day);
    const right = expectedOf(day);
    if (stored === undefined) return undefined;
    const { judged, revision } = stored;
    if (isDeepStrictEqual(comparable(judged), right && comparable(right))) return revision;
    violation = new ViolationError(`${day} is visible as ${shown(judged)}, and is ${shown(right)}`);
    throw violation;
  };
  const proven = new Map<UtcDay, number>();
  const checkSums = async (day: UtcDay) => {
    const { final } = await getCheckpoint(store, day);
    const { first, last, totals } = final?.progress ?? {};
    const number = first && last ? last.number : -1;
    const fail = (problem: string) => {
      violation = new ViolationError(`${day} is shown through block ${number}, ${problem}`);
      throw violation;
    };
    if (number < (proven.get(day) ?? -1)) fail(`and was proven through ${proven.get(day)}`);
    if (!final || !first || !last) return;
    if (final.finality.kind !== 'reported') proven.set(day, number);
    if (blocks[number]?.header.hash !== last.hash) fail(`which is not ${last.hash}`);
    const right = totalsOf(first.number, number);
    if (!isDeepStrictEqual(totals, right)) fail(`as ${shown(totals)}, and is ${shown(right)}`);
    const start = expected.get(day)?.first;
    if (final.evidence === 'proven' && start && start.hash !== first.hash) fail(`from ${first.number} on`);
  };
  return {
    checkDay,
    checkSums,
    checkCoverage: async () => {
      // The ingest may have caught the first one.
      if (violation) throw violation;
      const [coverage, final] = [await getCoverage(store), await listFinalDays(store, from)];
      const { from_day, through_day } = coverage ?? { from_day: from, through_day: '' };
      for (let day = from_day; day <= through_day; day = addDays(day, 1)) {
        if (!final.includes(day)) throw new ViolationError(`the coverage includes ${day}, which is missing`);
      }
    },
    whatIsMissing: async () => {
      const final = new Set(await listFinalDays(store, from));
      const missing = days.filter((day) => !final.has(day));
      if (missing.length > 0) return `days ${missing.join(', ')}`;
      const coverage = await getCoverage(store);
      if (coverage?.from_day !== from || coverage.through_day !== last || coverage.last_day !== last) {
        return `the coverage, which is ${shown(coverage)}`;
      }
      const restatement = (await listRestatements(store))[0];
      if (restatement) return `the restatement of ${restatement.day}`;
      for (const day of days) await checkDay(day);
      return undefined;
    },
  };
}

/** Counts the restatements of a day from its item. @throws ViolationError when an earlier revision is missing */
export async function restatementsOf({ table, chain }: ChainStore, day: UtcDay): Promise<number> {
  const item = await table.getItem({ chain, date: day });
  const { revision, restated = [] } = (item ?? {}) as {
    revision?: bigint;
    restated?: Record<string, unknown>[];
  };
  for (const [index, old] of restated.entries()) {
    const isWhole = old.revision === BigInt(index + 1) && old.reason && old.restated_at && old.last_block;
    if (!isWhole) throw new ViolationError(`${day} keeps ${shown(old)} as revision ${index + 1}`);
  }
  if (revision !== BigInt(restated.length + 1)) throw new ViolationError(`${day} has revision ${revision}`);
  return restated.length;
}

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner));
