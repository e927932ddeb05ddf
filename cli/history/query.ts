import { type Chain, type ChainName, chainNames } from '../../core/chains/chains.ts';
import { L1_ATTRIBUTES_DEPOSITOR, OP_PROTOCOL_SENDERS } from '../../core/chains/protocol-transactions.ts';
import { firstProvable } from '../../core/chains/provable.ts';
import type { BlobSchedule, Rules } from '../../core/chains/rule-types.ts';
import {
  ARBITRUM_INTERNAL,
  ARBITRUM_RETRY,
  POLYGON_STATE_SYNC,
} from '../../core/chains/transaction-types.ts';
import { addDays, dayOf, startOfDay, type UtcDay } from '../../core/figures/calendar.ts';
import { CommandError, usageError } from '../exit-codes.ts';

/* The query that makes a file of an archive. Its rules come from the chain's row, so that they cannot differ from those of a proof. */

/** An archive's SQL where it differs from that of others, and its tables as subqueries with our names of columns. */
interface Dialect {
  readonly note: string;
  /** Casts to an integer of 38 digits. */
  readonly dec: (value: string) => string;
  readonly text: (value: string) => string;
  readonly bytes: (address: string) => string;
  /** Returns the blob fee of a block from columns bg, x and f: blob gas, excess and update fraction. Absent if no chain has blobs. */
  readonly blobFee?: string;
  readonly tables: Partial<Record<ChainName, Tables>>;
}

/**
 * Blocks have ts, n, h, miner, g, fee, bg and x: time, number, hash, gas, base fee, blob gas, excess. Transactions have ts, i, sender,
 * receiver, type, gas, price, gas_limit, l1, names_operator_fee, and n or h, by which they belong to a block.
 */
interface Tables {
  readonly blocks: string;
  readonly transactions: string;
  readonly key: 'n' | 'h';
}

const castTo = (type: string) => (value: string) => `CAST(${value} AS ${type})`;
/** SQL that most archives share. */
const common = { text: castTo('varchar'), bytes: (address: string) => `'${address}'` };
/** True if the L1 attributes' calldata, as hex, names an operator fee: bytes 164 to 175. */
const NAMES_OPERATOR_FEE = `LENGTH(input) >= 354 AND SUBSTR(input, 331, 24) <> '${'0'.repeat(24)}' AS names_operator_fee`;
/** Terms of the series of e^x: more than any price that was ever paid needs. */
const STEPS = 120;

const trino = {
  ...common,
  dec: castTo('decimal(38,0)'),
  // Trino's division of decimals rounds, so the remainder is subtracted first.
  blobFee:
    `CASE WHEN bg = 0 THEN CAST(0 AS decimal(38,0)) ELSE bg * REDUCE(SEQUENCE(1, ${STEPS}), CAST(ROW(0, f) AS ROW(o decimal(38,0), a decimal(38,0))), ` +
    '(q, i) -> CAST(ROW(q.o + q.a, (q.a * x - (q.a * x) % (f * i)) / (f * i)) AS ROW(o decimal(38,0), a decimal(38,0))), q -> (q.o - q.o % f) / f) END',
};

const duneTables = (schema: string, l1 = 'NULL', blobs = ''): Tables => ({
  key: 'n',
  blocks: `SELECT time AS ts, number AS n, '0x' || LOWER(TO_HEX(hash)) AS h, miner, gas_used AS g, base_fee_per_gas AS fee${blobs} FROM ${schema}.blocks`,
  transactions:
    `SELECT block_time AS ts, block_number AS n, "index" AS i, "from" AS sender, "to" AS receiver, type, gas_used AS gas, gas_price AS price, gas_limit, ${l1} AS l1, ` +
    `bytearray_length(data) >= 176 AND bytearray_substring(data, 165, 12) <> 0x${'0'.repeat(24)} AS names_operator_fee FROM ${schema}.transactions`,
});
const DUNE_BLOBS = ', blob_gas_used AS bg, excess_blob_gas AS x';

const dune: Dialect = {
  ...trino,
  note: 'Run it in pieces of three to six months, and join the files. We have not run it on Dune.',
  bytes: (address) => address,
  tables: {
    ETHEREUM: duneTables('ethereum', 'NULL', DUNE_BLOBS),
    ARBITRUM: duneTables('arbitrum'),
    BSC: duneTables('bnb', 'NULL', DUNE_BLOBS),
    OPTIMISM: duneTables('optimism', 'l1_fee'),
    BASE: duneTables('base', 'l1_fee'),
    POLYGON: duneTables('polygon'),
  },
};

const bigqueryTables = (name: string): Tables => {
  const table = (of: string) => `\`bigquery-public-data.goog_blockchain_${name}_us.${of}\``;
  return {
    key: 'h',
    blocks: `SELECT block_timestamp AS ts, block_number AS n, block_hash AS h, miner, gas_used AS g, base_fee_per_gas AS fee FROM ${table('blocks')}`,
    // Receipts have no number of their block, and no type.
    transactions:
      'SELECT r.block_timestamp AS ts, r.block_hash AS h, r.transaction_index AS i, r.from_address AS sender, r.to_address AS receiver, x.transaction_type AS type, ' +
      `r.gas_used AS gas, r.effective_gas_price AS price, x.gas AS gas_limit FROM ${table('receipts')} AS r ` +
      `LEFT JOIN ${table('transactions')} AS x ON x.transaction_hash = r.transaction_hash AND x.block_timestamp = r.block_timestamp`,
  };
};

const bigquery: Dialect = {
  ...common,
  note: 'bq query --dry_run prints the bytes. We have not run it on BigQuery.',
  dec: castTo('BIGNUMERIC'),
  text: castTo('STRING'),
  tables: { POLYGON: bigqueryTables('polygon_mainnet'), ARBITRUM: bigqueryTables('arbitrum_one') },
};

const athena: Dialect = {
  ...trino,
  note: 'Tables of SonarX in us-east-2. Add a condition on the partition column "date", with a day more on each side. We have not run it on Athena.',
  tables: {
    BASE: {
      key: 'n',
      blocks:
        'SELECT from_unixtime(CAST("timestamp" AS bigint)) AS ts, CAST(block_number AS bigint) AS n, block_hash AS h, miner, gas_used AS g, base_fee_per_gas AS fee FROM sonarx_base.blocks',
      // L1 fees are floating-point numbers: from 2^53 on they may have lost digits, and count as missing.
      transactions:
        'SELECT from_unixtime(CAST("timestamp" AS bigint)) AS ts, CAST(block_number AS bigint) AS n, transaction_index AS i, LOWER(from_address) AS sender, LOWER(to_address) AS receiver, ' +
        'transaction_type AS type, gas_used AS gas, CAST(COALESCE(effective_gas_price, gas_price) AS bigint) AS price, gas AS gas_limit, ' +
        `CASE WHEN l1_fee < 9007199254740992 THEN CAST(l1_fee AS bigint) END AS l1, ${NAMES_OPERATOR_FEE} FROM sonarx_base.transactions`,
    },
  },
};

const nodeTables: Tables = {
  key: 'n',
  blocks:
    "SELECT to_timestamp(timestamp) AT TIME ZONE 'UTC' AS ts, number AS n, hash AS h, miner, gas_used AS g, base_fee_per_gas AS fee, blob_gas_used AS bg, excess_blob_gas AS x FROM blocks",
  transactions:
    'SELECT to_timestamp(block_timestamp) AT TIME ZONE \'UTC\' AS ts, block_number AS n, transaction_index AS i, "from" AS sender, "to" AS receiver, type, gas_used AS gas, ' +
    `effective_gas_price AS price, gas AS gas_limit, l1_fee AS l1, ${NAMES_OPERATOR_FEE} FROM transactions`,
};

/** Reads tables of blocks and transactions as nodes return them, for trials on one machine. */
const duckdb: Dialect = {
  ...common,
  note: 'Tables of blocks and transactions of one chain, with hex as text.',
  dec: castTo('HUGEINT'),
  // The elements of the list have the type of the sum, as list_reduce demands.
  blobFee:
    `CASE WHEN bg = 0 THEN 0::HUGEINT ELSE bg * (list_reduce(list_transform(range(0, ${STEPS + 1}), lambda i: {'i': i::HUGEINT, 'o': 0::HUGEINT, 'a': f}), ` +
    "lambda q, e: {'i': e.i, 'o': q.o + q.a, 'a': (q.a * x) // (f * e.i)}).o // f) END",
  tables: Object.fromEntries(chainNames.map((name) => [name, nodeTables])),
};

const dialects = { dune, bigquery, athena, duckdb };

export type ArchiveName = keyof typeof dialects;

export const archiveNames = Object.keys(dialects) as ArchiveName[];

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
    ? `, ${dec('COALESCE(bg, 0)')} AS bg, ${dec('COALESCE(x, 0)')} AS x, ${dec(fractionOf(schedule))} AS f`
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
t AS (
  SELECT b.d, b.r, COUNT(*) AS txs, ${countIf(parts.protocol)} AS protocol, SUM(${parts.execution}) AS execution_fees, SUM(${parts.donated}) AS donated,
    SUM(${parts.l1}) AS l1_data_fees, SUM(${dec('gas')}) AS gas, ${countIf(parts.operator)} AS operator_blocks, ${countIf(`gas IS NULL OR ${parts.unknown}`)} AS nulls
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

/** Expressions that are the same on most chains; `unknown` is true if a value is missing that the sums need. */
const commonParts = ({ dec }: Dialect) => {
  const execution = `${dec('gas')} * ${dec('price')}`;
  return { execution, protocol: 'FALSE', donated: '0', l1: '0', operator: 'FALSE', unknown: 'price IS NULL' };
};

type Parts = ReturnType<typeof commonParts>;

/** Returns the expressions in which families of chains differ. */
function specialParts(rules: Rules, { dec, text, bytes }: Dialect, last: UtcDay): Partial<Parts> {
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
