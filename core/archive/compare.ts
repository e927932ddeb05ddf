import type { Chain } from '../chains/chains.ts';
import { feePartNames, feeParts } from '../figures/fee-parts.ts';
import type { Totals } from '../figures/totals.ts';
import type { ArchiveRow } from './row.ts';

type Summed = Pick<ArchiveRow, 'first' | 'last' | 'transactions' | 'protocolTransactions' | 'fees'>;

/** Returns the first field in which a range differs from its proven blocks, with both values. */
export function rangeDifference(
  { rules }: Pick<Chain, 'rules'>,
  row: Summed,
  proven: Totals,
): string | undefined {
  // Nodes disagree whether a state-sync transaction is listed there, and no root covers it.
  const isListed = rules.family === 'polygon' && row.first < rules.stateSyncTypeFrom;
  const usersOf = (of: Summed | Totals) => of.transactions - of.protocolTransactions;
  const counts: [string, number, number][] = isListed
    ? [['user transactions', usersOf(row), usersOf(proven)]]
    : [
        ['transaction_count', row.transactions, proven.transactions],
        ['protocol_transaction_count', row.protocolTransactions, proven.protocolTransactions],
      ];
  const fields: [string, number | bigint, number | bigint][] = [
    ['block_count', row.last - row.first + 1, proven.blocks],
    ...counts,
    ...feePartNames.map((name): [string, bigint, bigint] => [
      feeParts[name].attribute,
      row.fees[name],
      proven.fees[name],
    ]),
  ];
  const wrong = fields.find(([, archive, right]) => archive !== right);
  if (!wrong) return undefined;
  const [field, archive, right] = wrong;
  return `${field}: the file has ${archive}, the proven blocks ${right}, a difference of ${BigInt(archive) - BigInt(right)}`;
}
