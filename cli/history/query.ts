import type { Chain, ChainName } from '../../core/chains/chains.ts';
import { L1_ATTRIBUTES_DEPOSITOR, OP_PROTOCOL_SENDERS } from '../../core/chains/protocol-transactions.ts';
import { firstProvable } from '../../core/chains/provable.ts';
import type { BlobRules, BlobSchedule, Rules } from '../../core/chains/rule-types.ts';
import {
  ARBITRUM_INTERNAL,
  ARBITRUM_RETRY,
  POLYGON_STATE_SYNC,
} from '../../core/chains/transaction-types.ts';
import { addDays, dayOf, startOfDay, type UtcDay } from '../../core/figures/calendar.ts';
import { CommandError, usageError } from '../exit-codes.ts';
import { type ArchiveName, archiveNames, type Dialect, dialects } from './dialects.ts';

/* The query that makes a file of an archive. Its rules come from the chain's row, so that they cannot differ from those of a proof. */

/** Returns the public archives that have all parts of a chain's fees. */
export const archivesOf = ({ name }: Chain): ArchiveName[] =>
  archiveNames.filter((archive) => archive !== 'duckdb' && name in dialects[archive].tables);

/** @throws CommandError when the archive lacks the chain or a part of its fees, or for days before the chain's first */
export function archiveQuery(chain: Chain, archive: ArchiveName, first: UtcDay, last: UtcDay): string {
  const sql: Dialect = dialects[archive];
  const tables = sql.tables[chain.name as ChainName];
  if (tables === undefined)
    throw new CommandError(
      `${archive} does not have all parts of ${chain.name}'s fees. \`history plan\` lists the archives that do.`,
    );
  if (first < chain.firstDay) throw usageError(`${chain.name} begins on ${chain.firstDay}.`);
  if (last >= dayOf(Date.now() / 1_000)) throw usageError(`${last} is not over (UTC).`);
  if (first > last) throw usageError(`${first} is after ${last}.`);
  const { dec, text } = sql;
  const provable = firstProvable(chain.rules);
  const refused =
    provable === 0 ? '' : ` Days before block ${provable} are refused, because no audit can prove them.`;
  const sum = (name: string) => text(`COALESCE(t.${name}, 0)`);
  const countIf = (condition: string) => `SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END)`;
  const within = (time: string) =>
    `${time} >= ${timestamp(startOfDay(first))} AND ${time} < ${timestamp(startOfDay(addDays(last, 1)))}`;
  const schedule = sql.blobFee && 'blobSchedule' in chain.rules ? chain.rules.blobSchedule : undefined;
  const blobs = schedule
    ? `, ${dec('COALESCE(bg, 0)')} AS bg, ${dec('COALESCE(x, 0)')} AS x, ${dec(byTime(schedule, fractionOf))} AS f, ${dec(byTime(schedule, startOf))} AS a`
    : '';
  const parts: Parts = { ...commonParts(sql), ...specialParts(chain.rules, sql, last) };
  return `-- ${chain.title}, ${first} to ${last}, for history import --archive ${archive}. ${sql.note}${refused}
WITH b AS (
  SELECT CAST(ts AS date) AS d, n - MOD(n, 1000) AS r, n, h, miner, ${dec('g')} AS g, ${dec('fee')} AS fee${blobs}
  FROM (${tables.blocks}) AS blocks WHERE ${within('ts')}),
s AS (
  SELECT d, r, MIN(n) AS first_block, MAX(n) AS last_block, COUNT(*) AS block_count, MIN_BY(h, n) AS fh, MAX_BY(h, n) AS lh,
    SUM(g) AS header_gas, ${schedule ? `SUM(${sql.blobFee})` : '0'} AS blob_fees
  FROM b GROUP BY d, r),
x AS (
  SELECT b.d, b.r, b.miner, b.fee, t.*${parts.step}
  FROM (${tables.transactions}) AS t JOIN b ON b.${tables.key} = t.${tables.key} WHERE ${within('t.ts')}),
t AS (
  SELECT d, r, COUNT(*) AS txs, ${countIf(parts.protocol)} AS protocol, SUM(${parts.execution}) AS execution_fees, SUM(${parts.donated}) AS donated,
    SUM(${parts.l1}) AS l1_data_fees, SUM(${dec('gas')}) AS gas, ${countIf(parts.operator)} AS operator_blocks, ${countIf(`gas IS NULL OR ${parts.unknown}`)} AS nulls
  FROM x GROUP BY d, r)
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

const fractionOf = ({ updateFraction }: BlobRules): number => updateFraction;
/** Returns the first term of the series of `fake_exponential`: factor × denominator. */
const startOf = ({ updateFraction, minPrice = 1 }: BlobRules): number => updateFraction * minPrice;

const byTime = (schedule: BlobSchedule, numberOf: (rules: BlobRules) => number): string =>
  `CASE ${schedule
    .toReversed()
    .map((rules) => `WHEN ts >= ${timestamp(rules.from)} THEN ${numberOf(rules)}`)
    .join(' ')} END`;

/** Expressions that are the same on most chains; `unknown` is true if a value or a row is missing that the sums need. */
const commonParts = ({ dec }: Dialect) => {
  const execution = `${dec('gas')} * ${dec('price')}`;
  return {
    execution,
    protocol: 'FALSE',
    donated: '0',
    l1: '0',
    operator: 'FALSE',
    step: '',
    unknown: 'price IS NULL',
  };
};

type Parts = ReturnType<typeof commonParts>;

/** Returns the expressions in which families of chains differ. */
function specialParts(rules: Rules, { dec, text, bytes }: Dialect, last: UtcDay): Partial<Parts> {
  const isType = (type: number) => `${text('type')} IN ('${type}', '0x${type.toString(16)}')`;
  const isOneOf = (column: string, addresses: Iterable<string>) =>
    `${column} IN (${[...addresses].map(bytes).join(', ')})`;
  switch (rules.family) {
    case 'ethereum':
      return {
        // Since EIP-7778 the gas of a header is not a sum, so gas shows no lost row. The indexes show one before the last of its block.
        step: ', i - LAG(i, 1, -1) OVER (PARTITION BY b.n ORDER BY i) AS step',
        unknown: 'price IS NULL OR i IS NULL OR step <> 1',
      };
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
