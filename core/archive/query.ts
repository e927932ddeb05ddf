import type { Chain, ChainName } from '../chains/chains.ts';
import { L1_ATTRIBUTES_DEPOSITOR, OP_PROTOCOL_SENDERS } from '../chains/protocol-transactions.ts';
import type { BlobSchedule, Rules } from '../chains/rule-types.ts';
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
  const tables = sql.tables[chain.name as ChainName];
  if (tables === undefined) return undefined;
  const { dec, text } = sql;
  const sum = (name: string) => text(`COALESCE(t.${name}, 0)`);
  const countIf = (condition: string) => `SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END)`;
  const within = (time: string) =>
    `${time} >= ${timestamp(startOfDay(first))} AND ${time} < ${timestamp(startOfDay(addDays(last, 1)))}`;
  const { protocol, execution, donated, l1, operator, unknown } = partsOf(chain.rules, sql, last);
  const schedule = sql.blobFee && 'blobSchedule' in chain.rules ? chain.rules.blobSchedule : undefined;
  const blobs = schedule
    ? `, ${dec('COALESCE(bg, 0)')} AS bg, ${dec('COALESCE(x, 0)')} AS x, ${dec(fractionOf(schedule))} AS f`
    : '';
  return `-- ${chain.title}, ${first} to ${last}, for history import --archive ${archive}. ${sql.note}
WITH b AS (
  SELECT CAST(ts AS date) AS d, n - MOD(n, 1000) AS r, n, h, miner, ${dec('g')} AS g, ${dec('fee')} AS fee${blobs}
  FROM (${tables.blocks}) AS blocks WHERE ${within('ts')}),
s AS (
  SELECT d, r, MIN(n) AS first_block, MAX(n) AS last_block, COUNT(*) AS block_count, MIN_BY(h, n) AS fh, MAX_BY(h, n) AS lh,
    SUM(g) AS header_gas, ${schedule ? `SUM(${sql.blobFee})` : '0'} AS blob_fees
  FROM b GROUP BY d, r),
t AS (
  SELECT b.d, b.r, COUNT(*) AS txs, ${countIf(protocol)} AS protocol, SUM(${execution}) AS execution_fees, SUM(${donated}) AS donated,
    SUM(${l1}) AS l1_data_fees, SUM(${dec('gas')}) AS gas, ${countIf(operator)} AS operator_blocks, ${countIf(`gas IS NULL OR ${unknown}`)} AS nulls
  FROM (${tables.transactions}) AS t JOIN b ON b.${tables.key} = t.${tables.key} WHERE ${within('t.ts')} GROUP BY b.d, b.r)
SELECT '${chain.name}' AS chain, ${text('s.d')} AS date, s.first_block, s.fh AS first_block_hash, s.last_block,
  s.lh AS last_block_hash, s.block_count, COALESCE(t.txs, 0) AS transaction_count,
  COALESCE(t.protocol, 0) AS protocol_transaction_count, ${sum('execution_fees')} AS execution_fees, ${sum('l1_data_fees')} AS l1_data_fees,
  CASE WHEN COALESCE(t.operator_blocks, 0) = 0 THEN '0' ELSE '' END AS operator_fees, ${text('s.blob_fees')} AS blob_fees,
  ${sum('donated')} AS retryable_double_count, ${text('COALESCE(t.gas, 0) - s.header_gas')} AS gas_difference, COALESCE(t.nulls, 0) AS missing_values
FROM s LEFT JOIN t ON t.d = s.d AND t.r = s.r ORDER BY s.first_block
`;
}

/** @param seconds since 1970 */
const timestamp = (seconds: number): string =>
  `TIMESTAMP '${new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')}'`;

const fractionOf = (schedule: BlobSchedule): string =>
  `CASE ${schedule
    .toReversed()
    .map(({ from, updateFraction }) => `WHEN ts >= ${timestamp(from)} THEN ${updateFraction}`)
    .join(' ')} END`;

/** Expressions; `unknown` is true if a value is missing that the sums need. */
type Parts = Record<'protocol' | 'execution' | 'donated' | 'l1' | 'operator' | 'unknown', string>;

const partsOf = (rules: Rules, sql: Dialect, last: UtcDay): Parts => ({
  protocol: 'FALSE',
  execution: `${sql.dec('gas')} * ${sql.dec('price')}`,
  donated: '0',
  l1: '0',
  operator: 'FALSE',
  unknown: 'price IS NULL',
  ...specialPartsOf(rules, sql, last),
});

/** Returns the expressions in which families of chains differ from Ethereum. */
function specialPartsOf(rules: Rules, { dec, text, bytes }: Dialect, last: UtcDay): Partial<Parts> {
  const isType = (type: number) => `${text('type')} IN ('${type}', '0x${type.toString(16)}')`;
  const isOneOf = (column: string, addresses: Iterable<string>) =>
    `${column} IN (${[...addresses].map(bytes).join(', ')})`;
  switch (rules.family) {
    case 'ethereum':
      return {};
    case 'bsc':
      return { protocol: `price = 0 AND sender = miner AND ${isOneOf('receiver', rules.systemContracts)}` };
    case 'polygon': {
      const zero = bytes(`0x${'0'.repeat(40)}`);
      const isNothing = `(sender = ${zero} AND receiver = ${zero} AND gas = 0)`;
      return { protocol: `${isType(POLYGON_STATE_SYNC)} OR ${isNothing}` };
    }
    case 'op-stack': {
      const isBeforeIsthmus = startOfDay(addDays(last, 1)) <= rules.isthmusTime;
      const isAttributes = `i = 0 AND ${isOneOf('sender', [L1_ATTRIBUTES_DEPOSITOR])}`;
      return {
        // The deposits of these senders have the price 0. Two of them may also have signed a transaction of another type.
        protocol: `${isOneOf('sender', OP_PROTOCOL_SENDERS)} AND price = 0`,
        l1: `COALESCE(${dec('l1')}, 0)`,
        operator: isBeforeIsthmus ? 'FALSE' : `${isAttributes} AND names_operator_fee`,
        unknown: 'price IS NULL OR (l1 IS NULL AND price > 0)',
      };
    }
    case 'arbitrum': {
      // A redeem's gas limit is part of the gas used of the transaction that scheduled it, which gets back what is not used.
      const donated = `CASE WHEN ${isType(ARBITRUM_RETRY)} THEN ${dec('gas_limit')} * fee ELSE 0 END`;
      return {
        protocol: isType(ARBITRUM_INTERNAL),
        execution: `${dec('gas')} * fee - ${donated}`,
        donated,
        unknown: `fee IS NULL OR type IS NULL OR (${isType(ARBITRUM_RETRY)} AND gas_limit IS NULL)`,
      };
    }
  }
}
