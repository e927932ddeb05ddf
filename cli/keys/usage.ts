import { addDays, countDays, dayOf, earlier, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { checkOrder } from '../options.ts';
import { formatTable, printNote, printResult } from '../print.ts';
import { keysLine, keysNamed, type NamedOptions } from './choose.ts';
import type { CountedKey, DayUsage, Keys, Range } from './keys.ts';
import { type ListedKey, listedKeys } from './manage.ts';

interface UsageOptions extends NamedOptions {
  readonly startDate?: UtcDay;
  readonly endDate?: UtcDay;
}

/** The longest range that API Gateway reports at once. */
export const MAX_DAYS = 90;
const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;

/** The requests of one key in a range of days. */
export interface KeyUsage extends CountedKey {
  readonly enabled: boolean;
  readonly replaced_by?: string | undefined;
  /** ISO 8601, UTC. */
  readonly replaced_at?: string | undefined;
  readonly requests: number;
  readonly last_used?: UtcDay | undefined;
  /** Requests left of the month's quota at the end of the range. */
  readonly remaining?: number | undefined;
  /** Only the days with requests. */
  readonly days: readonly DayUsage[];
}

/** The range of a usage report and the time of its request. */
interface ReportTime {
  readonly range: Range;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export async function usage(keys: Keys, options: UsageOptions): Promise<void> {
  const now = Date.now();
  const range = rangeOf(options, dayOf(now / 1_000));
  const all = [...listedKeys(await keys.list()), ...keys.builtIn];
  const selected = keysNamed(keys, all, options);
  const days = await keys.usage(selected, range);
  const usages = selected.map((key) => keyUsageOf(key, days.get(key.id) ?? []));
  printResult(options, usages, showUsage(usages, range));
  for (const line of rotationAdvice(keys, usages, { range, now })) printNote(`\n${line}`);
}

/**
 * Returns the range to report: by default 30 days up to today.
 * @throws CommandError when it is empty, in the future or longer than API Gateway reports
 */
export function rangeOf(options: Pick<UsageOptions, 'startDate' | 'endDate'>, today: UtcDay): Range {
  checkOrder(options);
  const { startDate, endDate } = options;
  const last = earlier(endDate ?? today, today);
  const first = startDate ?? addDays(last, 1 - DEFAULT_DAYS);
  const days = countDays(first, last);
  if (days >= 1 && days <= MAX_DAYS) return { first, last };
  const problem = days === 0 ? `${first} is in the future` : `the range has ${days} days`;
  throw new CommandError(
    `Cannot report usage: ${problem}. Choose 1 to ${MAX_DAYS} days up to today.`,
    exitCodes.usage,
  );
}

export function keyUsageOf(
  { id, name, tier, enabled = true, replaced_by, replaced_at }: CountedKey & Partial<ListedKey>,
  days: readonly DayUsage[],
): KeyUsage {
  const used = days.filter(({ requests }) => requests > 0);
  return {
    ...{ id, name, tier, enabled, replaced_by, replaced_at },
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
  const perKey = formatTable(['name', 'id', 'tier', 'requests', 'last used', 'quota left'], keys);
  if (days.length === 0) return `${perKey}\n\nNo key was used from ${first} to ${last}.`;
  return `${perKey}\n\n${formatTable(['date', 'name', 'id', 'requests', 'quota left'], days)}`;
}

/** Advises for each replaced key that is still valid, whether to disable it. */
export const rotationAdvice = (
  keys: Pick<Keys, 'flags'>,
  usages: readonly KeyUsage[],
  time: ReportTime,
): string[] =>
  usages
    .filter(({ enabled, replaced_by }) => enabled && replaced_by)
    .map((usage) => {
      const { id, name, replaced_by, last_used } = usage;
      const { first, last } = time.range;
      const used = last_used ? `was last used on ${last_used}` : `was not used from ${first} to ${last}`;
      return `Key ${id} of ${name}, replaced by ${replaced_by}, ${used}.\n${disableAdvice(keys, usage, time)}`;
    });

function disableAdvice(keys: Pick<Keys, 'flags'>, usage: KeyUsage, time: ReportTime): string {
  const reason = whyInconclusive(usage, time);
  if (reason) {
    const again = keysLine(keys, 'usage', '--id', usage.id);
    return `It may still be in use: ${reason}. To check again:\n  ${again}`;
  }
  const disable = keysLine(keys, 'disable', '--id', usage.id);
  return usage.last_used
    ? `When its client uses the new key, disable it:\n  ${disable}`
    : `To disable it:\n  ${disable}`;
}

/** Explains why usage does not show that a key is unused; undefined when it does. */
function whyInconclusive(
  { replaced_at = '', last_used }: KeyUsage,
  { range, now }: ReportTime,
): string | undefined {
  const today = dayOf(now / 1_000);
  if (range.last < today) return `this report ends on ${range.last}, before today`;
  if (last_used) return undefined;
  if (range.first === today) return 'this report covers only today';
  const isSettled = now - Date.parse(replaced_at) >= DAY_MS;
  return isSettled ? undefined : 'it was replaced less than a day ago, and counts arrive late';
}
