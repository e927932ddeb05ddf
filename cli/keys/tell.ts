import { addDays, countDays, dayOf, earlier, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { type CommonOptions, checkOrder } from '../options.ts';
import { printResult, say } from '../print.ts';
import { keysLine, keysNamed, type NamedOptions } from './choose.ts';
import type { Range } from './keys.ts';
import { openKeys } from './open-keys.ts';
import { keyUsageOf, listedKeys, overlaps, showKeys, showUsage } from './show.ts';

/* The commands that tell of keys. */

interface UsageOptions extends NamedOptions {
  readonly startDate?: UtcDay;
  readonly endDate?: UtcDay;
}

/** API Gateway tells of no more at once. */
export const MAX_DAYS = 90;
const DEFAULT_DAYS = 30;

export async function list(options: CommonOptions): Promise<void> {
  const keys = await openKeys(options);
  const listed = listedKeys(await keys.list());
  if (listed.length > 0 || options.json) printResult(options, listed, showKeys(listed));
  if (listed.length > 0) return;
  const [tier] = keys.tiers;
  const first = keysLine(keys, 'issue', '--name', 'alice', ...(tier ? ['--tier', tier.name] : []));
  say(`${keys.title} has issued no key yet. To issue the first: ${first}`);
}

export async function usage(options: UsageOptions): Promise<void> {
  const now = Date.now();
  const range = rangeOf(options, dayOf(now / 1_000));
  const keys = await openKeys(options);
  const all = [...listedKeys(await keys.list()), ...keys.given];
  const asked = keysNamed(keys, all, options);
  const days = await keys.usage(asked, range);
  const usages = asked.map((key) => keyUsageOf(key, days.get(key.id) ?? []));
  printResult(options, usages, showUsage(usages, range));
  for (const line of overlaps(keys, usages, { range, now })) say(`\n${line}`);
}

/**
 * The days that are meant: 30 up to today where nothing is said.
 * @throws CommandError when they end before they begin, are all to come, or are more than API Gateway tells of
 */
export function rangeOf(asked: Pick<UsageOptions, 'startDate' | 'endDate'>, today: UtcDay): Range {
  checkOrder(asked);
  const { startDate, endDate } = asked;
  const last = earlier(endDate ?? today, today);
  const first = startDate ?? addDays(last, 1 - DEFAULT_DAYS);
  const days = countDays(first, last);
  if (days >= 1 && days <= MAX_DAYS) return { first, last };
  const wrong = days === 0 ? `${first} has not begun yet` : `It is ${days} days long`;
  throw new CommandError(
    `No usage can be told of this range. ${wrong}: ask for 1 to ${MAX_DAYS} days.`,
    exitCodes.usage,
  );
}
