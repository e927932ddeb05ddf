import { addDays, countDays, dayOf, earlier, type UtcDay } from '../../core/figures/calendar.ts';
import { usageError } from '../exit-codes.ts';
import { checkOrder, type DayOptions } from '../options.ts';
import { formatTable, printResult } from '../print.ts';
import {
  type CountedKey,
  type DayUsage,
  type Key,
  type Keys,
  keysNamed,
  type NamedOptions,
  type UsageRange,
} from './keys.ts';
import { sorted } from './manage.ts';

/** The longest range that API Gateway reports at once. */
export const MAX_DAYS = 90;
const DEFAULT_DAYS = 30;

/** The requests of one key in a range of days. */
export type KeyUsage = ReturnType<typeof keyUsageOf>;

export async function usage(keys: Keys, options: NamedOptions & DayOptions): Promise<void> {
  const range = usageRange(options, dayOf(Date.now() / 1_000));
  const all = [...sorted(await keys.list()), ...keys.builtIn];
  const selected = keysNamed(keys, all, options);
  const days = await keys.usage(selected, range);
  const usages = selected.map((key) => keyUsageOf(key, days.get(key.id) ?? []));
  printResult(options, usages, showUsage(usages, range));
}

/**
 * Returns the range to report: by default 30 days up to today.
 * @throws CommandError when it is empty, in the future or longer than API Gateway reports
 */
export function usageRange(options: DayOptions, today: UtcDay): UsageRange {
  checkOrder(options);
  const { startDate, endDate } = options;
  const last = earlier(endDate ?? today, today);
  const first = startDate ?? addDays(last, 1 - DEFAULT_DAYS);
  const days = countDays(first, last);
  if (days >= 1 && days <= MAX_DAYS) return { first, last };
  const problem = days === 0 ? `${first} is in the future` : `the range has ${days} days`;
  throw usageError(`Cannot report usage: ${problem}. Choose 1 to ${MAX_DAYS} days up to today.`);
}

export function keyUsageOf(
  { id, name, tier, enabled = true }: CountedKey & Partial<Key>,
  days: readonly DayUsage[],
) {
  const used = days.filter(({ requests }) => requests > 0);
  return {
    id,
    name,
    tier,
    enabled,
    requests: used.reduce((sum, { requests }) => sum + requests, 0),
    last_used: used.at(-1)?.date,
    /** Requests left of the month's quota at the end of the range. */
    remaining: days.at(-1)?.remaining,
    days: used,
  };
}

export function showUsage(usages: readonly KeyUsage[], { first, last }: UsageRange): string {
  const keys = usages.map(({ name, id, tier, requests, last_used, remaining }) => [
    ...[name, id, tier ?? '', requests],
    ...[last_used ?? 'not used', remaining ?? ''],
  ]);
  const days = usages
    .flatMap(({ name, id, days }) => days.map((day) => ({ ...day, name, id })))
    .toSorted((a, b) => a.date.localeCompare(b.date))
    .map(({ date, name, id, requests, remaining }) => [date, name, id, requests, remaining ?? '']);
  const perKey = formatTable(['name', 'id', 'tier', 'requests', 'last used', 'quota left'], keys);
  if (days.length === 0) return `${perKey}\n\nNo key was used from ${first} to ${last}.`;
  return `${perKey}\n\n${formatTable(['date', 'name', 'id', 'requests', 'quota left'], days)}`;
}
