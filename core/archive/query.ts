import type { Chain, ChainName } from '../chains/chains.ts';
import { L1_ATTRIBUTES_DEPOSITOR, OP_PROTOCOL_SENDERS } from '../chains/protocol-transactions.ts';
import type { Rules } from '../chains/rule-types.ts';
import { ARBITRUM_INTERNAL, ARBITRUM_RETRY, POLYGON_STATE_SYNC } from '../chains/transaction-types.ts';
import { addDays, startOfDay, type UtcDay } from '../figures/calendar.ts';
import { type Dialect, dialects } from './dialects.ts';

/* The query that makes a file of an archive. Its rules come from the chain's row, so that they cannot differ from those of a proof. */

export type ArchiveName = keyof typeof dialects;

export const archiveNames = Object.keys(dialects) as ArchiveName[];

/** @returns undefined if the archive lacks the chain, or a part of its fees */
export function archiveQuery(
  chain: Chain,
  archive: ArchiveName,
  first: UtcDay,
  last: UtcDay,
): string | undefined {
  const sql: Dialect = dialects[archive];
  const tables = sql.tables(chain.name as ChainName);
  if (tables === undefined) return undefined;
  const { dec, text, countIf } = sql;
  const within = (time: string) =>
    `${time} >= ${sql.time(first)} AND ${time} < ${sql.time(addDays(last, 1))}`;
  const { protocol, execution, donated, l1, operator, unknown } = partsOf(chain.rules, sql, last);
  const hasBlobs = 'blobSchedule' in chain.rules;
  const blob = hasBlobs ? `SUM(${sql.blobFee('bg', 'x', 'f')})` : dec('0');
  const sum = (name: string) => text(`COALESCE(t.${name}, 0)`);
  return `-- ${chain.title}, ${first} to ${last}, for history import --archive ${archive}. ${sql.note}
WITH b AS (
  SELECT ${sql.day('ts')} AS d, ${sql.thousand('n')} AS r, n, h, miner, ${dec('g')} AS g, ${dec('fee')} AS fee,
    ${hasBlobs ? `${dec('COALESCE(bg, 0)')} AS bg, ${dec('COALESCE(x, 0)')} AS x, ${dec(fractionAt(chain.rules, sql))} AS f` : '0 AS bg'}
  FROM (${tables.blocks}) AS blocks WHERE ${within('ts')}),
s AS (
  SELECT d, r, MIN(n) AS first_block, MAX(n) AS last_block, COUNT(*) AS block_count, ${sql.atMin('h', 'n')} AS fh, ${sql.atMax('h', 'n')} AS lh,
    SUM(g) AS header_gas, ${blob} AS blob_fees
  FROM b GROUP BY d, r),
t AS (
  SELECT b.d, b.r, COUNT(*) AS txs, ${countIf(protocol)} AS protocol, SUM(${execution}) AS execution_fees, SUM(${donated}) AS donated,
    SUM(${l1}) AS l1_data_fees, SUM(${dec('gas')}) AS gas, ${countIf(operator)} AS operator_blocks, ${countIf(`gas IS NULL OR ${unknown}`)} AS nulls
  FROM (${tables.transactions}) AS t JOIN b ON b.${tables.key} = t.${tables.key} WHERE ${within('t.ts')} GROUP BY b.d, b.r)
SELECT '${chain.name}' AS chain, ${text('s.d')} AS date, s.first_block, ${sql.hex('s.fh')} AS first_block_hash, s.last_block,
  ${sql.hex('s.lh')} AS last_block_hash, s.block_count, COALESCE(t.txs, 0) AS transaction_count,
  COALESCE(t.protocol, 0) AS protocol_transaction_count, ${sum('execution_fees')} AS execution_fees, ${sum('l1_data_fees')} AS l1_data_fees,
  CASE WHEN COALESCE(t.operator_blocks, 0) = 0 THEN '0' ELSE '' END AS operator_fees, ${text('s.blob_fees')} AS blob_fees,
  ${sum('donated')} AS retryable_double_count, ${text('COALESCE(t.gas, 0) - s.header_gas')} AS gas_difference, COALESCE(t.nulls, 0) AS missing_values
FROM s LEFT JOIN t ON t.d = s.d AND t.r = s.r ORDER BY s.first_block
`;
}

/** Returns the expressions in which families of chains differ. */
function partsOf(rules: Rules, sql: Dialect, last: UtcDay) {
  const { dec, bytes, isType } = sql;
  const isOneOf = (column: string, addresses: Iterable<string>) =>
    `${column} IN (${[...addresses].map(bytes).join(', ')})`;
  const zero = bytes(`0x${'0'.repeat(40)}`);
  const paid = `${dec('gas')} * ${dec('price')}`;
  const usual = {
    execution: paid,
    donated: dec('0'),
    l1: dec('0'),
    operator: 'FALSE',
    unknown: 'price IS NULL',
  };
  switch (rules.family) {
    case 'ethereum':
      return { ...usual, protocol: 'FALSE' };
    case 'bsc':
      return {
        ...usual,
        protocol: `price = 0 AND sender = miner AND ${isOneOf('receiver', rules.systemContracts)}`,
      };
    case 'polygon':
      return {
        ...usual,
        protocol: `${isType(POLYGON_STATE_SYNC)} OR (sender = ${zero} AND receiver = ${zero} AND gas = 0)`,
      };
    case 'op-stack':
      return {
        ...usual,
        // The deposits of these senders have the price 0. Two of them may also have signed a transaction of another type.
        protocol: `${isOneOf('sender', OP_PROTOCOL_SENDERS)} AND price = 0`,
        l1: `COALESCE(${dec('l1')}, ${dec('0')})`,
        operator:
          startOfDay(addDays(last, 1)) <= rules.isthmusTime
            ? 'FALSE'
            : `i = 0 AND sender = ${bytes(L1_ATTRIBUTES_DEPOSITOR)} AND ${sql.hasOperatorFee('data')}`,
        unknown: `price IS NULL OR (l1 IS NULL AND price > 0)${sql.inexact ? ` OR ${sql.inexact('l1')}` : ''}`,
      };
    case 'arbitrum': {
      // A redeem's gas limit is part of the gas used of the transaction that scheduled it, which gets back what is not used.
      const donated = `CASE WHEN ${isType(ARBITRUM_RETRY)} THEN ${dec('gas_limit')} * fee ELSE ${dec('0')} END`;
      return {
        ...usual,
        protocol: isType(ARBITRUM_INTERNAL),
        execution: `${dec('gas')} * fee - ${donated}`,
        donated,
        unknown: `fee IS NULL OR type IS NULL OR (${isType(ARBITRUM_RETRY)} AND gas_limit IS NULL)`,
      };
    }
  }
}

function fractionAt(rules: Rules, sql: Dialect): string {
  if (!('blobSchedule' in rules)) return '0';
  const [first, ...later] = rules.blobSchedule;
  const cases = later
    .filter(({ updateFraction }, index) => updateFraction !== rules.blobSchedule[index]?.updateFraction)
    .toReversed()
    .map(({ from, updateFraction }) => `WHEN ts >= ${sql.moment(from)} THEN ${updateFraction}`);
  return cases.length === 0
    ? String(first?.updateFraction)
    : `CASE ${cases.join(' ')} ELSE ${first?.updateFraction} END`;
}
