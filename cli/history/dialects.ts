import { type ChainName, chainNames } from '../../core/chains/chains.ts';

/* The archives whose tables a query reads. */

/** An archive's SQL where it differs from that of others, and its tables as subqueries with our names of columns. */
export interface Dialect {
  readonly note: string;
  /** Casts to an integer of 38 digits. */
  readonly dec: (value: string) => string;
  readonly text: (value: string) => string;
  readonly bytes: (address: string) => string;
  /** Returns the blob fee of a block from columns bg, x, f and a: blob gas, excess, update fraction, and that times the least price. Absent if no chain has blobs. */
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
    `CASE WHEN bg = 0 THEN CAST(0 AS decimal(38,0)) ELSE bg * REDUCE(SEQUENCE(1, ${STEPS}), CAST(ROW(0, a) AS ROW(o decimal(38,0), a decimal(38,0))), ` +
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
    `CASE WHEN bg = 0 THEN 0::HUGEINT ELSE bg * (list_reduce(list_transform(range(0, ${STEPS + 1}), lambda i: {'i': i::HUGEINT, 'o': 0::HUGEINT, 'a': a}), ` +
    "lambda q, e: {'i': e.i, 'o': q.o + q.a, 'a': (q.a * x) // (f * e.i)}).o // f) END",
  tables: Object.fromEntries(chainNames.map((name) => [name, nodeTables])),
};

export const dialects = { dune, bigquery, athena, duckdb };

export type ArchiveName = keyof typeof dialects;

export const archiveNames = Object.keys(dialects) as ArchiveName[];
