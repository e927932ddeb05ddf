import * as z from 'zod/mini';
import { addDays, type UtcDay } from '../../figures/calendar.ts';
import { evidences } from '../../figures/day-figures.ts';
import { decodeItem } from '../table/decode-item.ts';
import { dayKey, dayRange, isOfKind, kindRange } from '../table/keys.ts';
import { type ChainReader, type Item, keyOfWrite, queryItems, type Write } from '../table/table.ts';
import type { Coverage } from './coverage.ts';
import {
  type CoveredDay,
  type CoveredDays,
  daysWith,
  fromText,
  lastDayOf,
  lastWithoutGap,
  NO_DAYS,
  toText,
  withDays,
} from './covered-days.ts';

/* The coverage that follows from the last one and the writes of a commit, or from all stored days. */

/** Returns the coverage after some writes. @throws Error if the chain has none yet: its first run, or an import, begins it */
export async function coverageAfter(
  store: ChainReader,
  before: Coverage | undefined,
  writes: readonly Write[],
): Promise<Coverage> {
  if (!before) throw new Error(`${store.chain} has no coverage: begin it before you change its days`);
  const keys = writes.flatMap((write) => ('check' in write ? [] : [keyOfWrite(write)]));
  const days = keys.flatMap(({ date }) => (isDay(date) ? [date] : []));
  const waiting = await Promise.all(
    writes.map(async (write) =>
      isOfKind(keyOfWrite(write), 'waiting')
        ? Number('put' in write && isWaiting(write.put)) -
          Number(isWaiting(await store.table.getItem(keyOfWrite(write))))
        : 0,
    ),
  );
  const known = fromText(before.days);
  const covered = known ? await coveredAfter(store, known, days, writes) : await readCovered(store);
  return {
    ...before,
    ...withChanges(before, days, Date.now()),
    ...(await summarize(store, before.from_day, covered, before, writes)),
    waiting_days: waiting.reduce((sum, change) => sum + change, before.waiting_days),
  };
}

const isDay = (date: string): boolean => /^\d/.test(date);

/** Returns whether an item is of a day that waits, and not of one that must be read again. */
const isWaiting = (item: Item | undefined): boolean => item?.next_block !== undefined;

/** Keeps the item under 4 KB, which DynamoDB reads for one unit. */
const MAX_CHANGES = 48;

type Changes = Pick<Coverage, 'revision' | 'changes' | 'changes_since'>;

/** Returns the next revision with these days among its changes; the oldest changes are dropped. */
export function withChanges(
  { revision: before, changes, changes_since }: Changes,
  days: readonly UtcDay[] = [],
  at = 0,
): Changes {
  const revision = before + 1;
  const all = [...changes, ...days.map((day) => ({ day, revision, at }))];
  return {
    revision,
    changes: all.slice(-MAX_CHANGES),
    changes_since: all.at(-MAX_CHANGES - 1)?.revision ?? changes_since,
  };
}

/** The attributes of a day's item that the coverage depends on. Numbers are left out: those of a write are not decoded. */
const linkedSchema = z.object({
  date: z.string(),
  evidence: z.enum(evidences),
  parent_hash: z.string(),
  last_block: z.object({ hash: z.string() }),
  confirmed_by: z.array(z.string()),
  links_to: z.optional(z.unknown()),
  ingested_at: z.string(),
  restated: z._default(z.array(z.object({ ingested_at: z.string() })), []),
});

type Linked = z.output<typeof linkedSchema>;

export const toLinked = ({ chain }: ChainReader, item: Item | undefined): Linked =>
  decodeItem(linkedSchema, chain, item);

/** Returns the stored days after some of them are written. The day before each may inherit from it. */
async function coveredAfter(
  store: ChainReader,
  covered: CoveredDays,
  changed: readonly UtcDay[],
  writes: readonly Write[],
): Promise<CoveredDays> {
  if (changed.length === 0) return covered;
  const [first, last] = [changed.toSorted()[0] as UtcDay, changed.toSorted().at(-1) as UtcDay];
  const around = await readLinked(store, addDays(first, -1), addDays(last, 1));
  for (const write of writes) {
    if ('put' in write && isDay(write.put.date)) around.set(write.put.date, toLinked(store, write.put));
  }
  const dates = new Set(changed.flatMap((day) => [addDays(day, -1), day]));
  return withDays(covered, coveredIn(around, dates));
}

/** Reads all stored days. */
export async function readCovered(store: ChainReader): Promise<CoveredDays> {
  const days = await readLinked(store);
  return withDays(NO_DAYS, coveredIn(days, days.keys()));
}

async function readLinked(store: ChainReader, ...range: readonly UtcDay[]): Promise<Map<UtcDay, Linked>> {
  const items = await queryItems(store.table, dayRange(store, ...range));
  return new Map(items.map((item) => [String(item.date), toLinked(store, item)]));
}

const coveredIn = (days: ReadonlyMap<UtcDay, Linked>, dates: Iterable<UtcDay>): CoveredDay[] =>
  [...dates].flatMap((date) => {
    const day = days.get(date);
    return day
      ? [{ day: date, evidence: day.evidence, isHeir: mayInherit(day, days.get(addDays(date, 1))) }]
      : [];
  });

/**
 * Returns whether a day that was final before its chain could prove it may inherit the evidence of the day after it, which links to it by
 * hash. Nothing follows from archived days.
 */
export function mayInherit(day: Linked, after: Linked | undefined): boolean {
  if (!after || day.evidence === 'archived' || after.evidence === 'archived') return false;
  return after.parent_hash === day.last_block.hash && rankOf(after) > rankOf(day);
}

/** Ranks the chain's own evidence above reports of hosts, and these above nothing. */
function rankOf({ links_to, confirmed_by }: Linked): number {
  if (links_to !== undefined) return 2;
  return confirmed_by.length > 0 ? 1 : 0;
}

/** Returns what the coverage says of the stored days. */
export async function summarize(
  store: ChainReader,
  from_day: UtcDay,
  covered: CoveredDays,
  before: Pick<Coverage, 'summary'> | undefined,
  writes: readonly Write[] = [],
): Promise<Pick<Coverage, 'days' | 'from_day' | 'through_day' | 'last_day' | 'summary'>> {
  const written = new Map(
    writes.flatMap((write) => ('put' in write ? [[write.put.date, write.put] as const] : [])),
  );
  const groups = evidences.map(async (evidence) => {
    const found = daysWith(covered, evidence);
    if (!found) return [];
    const known = before?.summary?.by_evidence[evidence];
    const item = written.get(found.last);
    const isKnown = !item && known?.last === found.last;
    const since = isKnown ? known.since : await finalSince(store, found.last, item);
    return [[evidence, { ...found, since }] as const];
  });
  const summary = (await Promise.all(groups)).flat();
  return {
    days: toText(covered),
    from_day,
    through_day: lastWithoutGap(covered, from_day),
    last_day: lastDayOf(covered),
    summary: summary.length > 0 ? { by_evidence: Object.fromEntries(summary) } : undefined,
  };
}

/** Returns the time at which a day first became final, as ISO 8601. @param item of the day, if it was not read from the table */
async function finalSince(store: ChainReader, day: UtcDay, item: Item | undefined): Promise<string> {
  const stored = item ?? (await store.table.getItem(dayKey(store, day)));
  const { restated, ingested_at } = toLinked(store, stored);
  return restated[0]?.ingested_at ?? ingested_at;
}

export async function countWaiting(store: ChainReader): Promise<number> {
  return (await queryItems(store.table, kindRange(store, 'waiting'))).filter(isWaiting).length;
}
