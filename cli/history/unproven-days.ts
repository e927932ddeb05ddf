import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { unprovenOf } from '../../core/chains/provable.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { usageError } from '../exit-codes.ts';
import { printNote } from '../print.ts';

/** The first days whose blocks can all be proven, of chains with earlier days. */
const FIRST_PROVABLE_DAYS: Partial<Record<ChainName, UtcDay>> = {
  ARBITRUM: '2022-09-01',
  OPTIMISM: '2023-06-07',
};

/** Warns of days that `history import` refuses. @throws CommandError when the range has no other day */
export function refuseUnproven(name: ChainName, startDate: UtcDay, endDate: UtcDay): void {
  const first = FIRST_PROVABLE_DAYS[name];
  if (first === undefined || startDate >= first) return;
  const reason = unprovenOf(chainOf(name).rules, 0)?.reason;
  const problem = `\`history import\` refuses files with days of ${name} before ${first}: ${reason}. Choose later days.`;
  if (endDate < first) throw usageError(problem);
  printNote(`Warning: ${problem}`);
}
