import { dayOf, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { tableOf } from '../print.ts';
import { keysLine, replacementOf, showTime } from './choose.ts';
import type { CountedKey, DayUsage, Key, Keys, Range } from './keys.ts';

/* What the commands show of keys: documents for --json, and texts. No value is among it. */

/** A key, and which one is accepted in its place. */
export interface ListedKey extends Key {
  readonly replaced_by?: string;
  /** ISO 8601, UTC. */
  readonly replaced_at?: string;
}

/** By name, and of one name the oldest first. */
export const listedKeys = (keys: readonly Key[]): ListedKey[] =>
  keys
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.created_at.localeCompare(b.created_at))
    .map((key) => {
      const replacement = replacementOf(key, keys);
      return {
        ...key,
        ...(replacement && { replaced_by: replacement.id, replaced_at: replacement.created_at }),
      };
    });

export function showKeys(keys: readonly ListedKey[]): string {
  const rows = keys.map((key) => [
    key.name,
    key.id,
    key.tier ?? 'none',
    key.enabled ? 'yes' : 'no',
    showTime(key.created_at),
    key.replaced_by ?? '',
  ]);
  return tableOf(['name', 'id', 'tier', 'enabled', 'issued (UTC)', 'replaced by'], rows);
}

/** What one key was used for. */
export interface KeyUsage extends CountedKey {
  readonly enabled: boolean;
  readonly replaced_by?: string | undefined;
  /** ISO 8601, UTC. */
  readonly replaced_at?: string | undefined;
  readonly requests: number;
  /** The last day on which it was used. */
  readonly last_used?: UtcDay | undefined;
  /** What is left of the month's quota at the end of the range. */
  readonly remaining?: number | undefined;
  /** Those on which it was used. */
  readonly days: readonly DayUsage[];
}

/** @param key one that was issued, or only counted */
export function keyUsageOf(key: CountedKey | ListedKey, days: readonly DayUsage[]): KeyUsage {
  const used = days.filter(({ requests }) => requests > 0);
  return {
    id: key.id,
    name: key.name,
    tier: key.tier,
    enabled: 'enabled' in key ? key.enabled : true,
    replaced_by: 'replaced_by' in key ? key.replaced_by : undefined,
    replaced_at: 'replaced_at' in key ? key.replaced_at : undefined,
    requests: used.reduce((sum, { requests }) => sum + requests, 0),
    last_used: used.at(-1)?.date,
    remaining: days.at(-1)?.remaining,
    days: used,
  };
}

export function showUsage(usages: readonly KeyUsage[], { first, last }: Range): string {
  const keys = usages.map(({ name, id, tier, requests, last_used, remaining }) => [
    ...[name, id, tier ?? '', requests],
    ...[last_used ?? 'not used', remaining ?? ''],
  ]);
  const days = usages
    .flatMap(({ name, id, days }) => days.map((day) => ({ ...day, name, id })))
    .toSorted((a, b) => a.date.localeCompare(b.date))
    .map(({ date, name, id, requests, remaining }) => [date, name, id, requests, remaining ?? '']);
  const perKey = tableOf(['name', 'id', 'tier', 'requests', 'last used', 'left of the month'], keys);
  if (days.length === 0) return `${perKey}\n\nNo key was used from ${first} to ${last}.`;
  return `${perKey}\n\n${tableOf(['day', 'name', 'id', 'requests', 'left of the month'], days)}`;
}

/** What the usage was asked for, and when. */
interface Asked {
  readonly range: Range;
  /** Milliseconds. */
  readonly now: number;
}

/** What the usage tells of each key that was replaced and is still accepted: whether it can be ended. */
export const overlaps = (service: Pick<Keys, 'flags'>, usages: readonly KeyUsage[], asked: Asked): string[] =>
  usages
    .filter(({ enabled, replaced_by }) => enabled && replaced_by)
    .map(
      (usage) =>
        `The old key ${usage.id} of ${usage.name}, replaced by ${usage.replaced_by}, ${whetherToEnd(service, usage, asked)}`,
    );

function whetherToEnd(service: Pick<Keys, 'flags'>, usage: KeyUsage, asked: Asked): string {
  const { id, last_used } = usage;
  const { first, last } = asked.range;
  const used = last_used ? `was last used on ${last_used}` : `was not used from ${first} to ${last}`;
  const unknown = whyNotKnown(usage, asked);
  if (unknown) {
    const again = keysLine(service, 'usage', '--id', id);
    return `${used}, which does not tell whether it can be ended: ${unknown}. To look again: ${again}`;
  }
  const end = keysLine(service, 'disable', '--id', id);
  return last_used
    ? `${used}: once its client sends the new one, end it with ${end}`
    : `${used}: end it with ${end}`;
}

const DAY_MS = 86_400_000;

/** A key that is in use must not be ended, and what was not used for an hour, or on days long past, may be in use. */
function whyNotKnown({ replaced_at = '', last_used }: KeyUsage, { range, now }: Asked): string | undefined {
  const today = dayOf(now / 1_000);
  if (range.last < today) return `days after ${range.last} were not asked for`;
  if (last_used) return undefined;
  if (range.first === today) return 'today alone was asked for';
  const isSettled = now - Date.parse(replaced_at) >= DAY_MS;
  return isSettled ? undefined : 'it was replaced less than a day ago, and counts come late';
}
