import type { ChainName } from '../chains/chains.ts';
import type { UtcDay } from '../figures/calendar.ts';

/** An archive's SQL, and its tables as subqueries with our names of columns. */
export interface Dialect {
  readonly note: string;
  /**
   * Blocks have ts, n, h, miner, g, fee, bg and x: time, number, hash, gas, base fee, blob gas, excess. Transactions have ts, i, sender,
   * receiver, type, gas, price, gas_limit, l1, data, and `key`, by which they belong to a block.
   */
  readonly tables: (
    chain: ChainName,
  ) => { readonly blocks: string; readonly transactions: string; readonly key: 'n' | 'h' } | undefined;
  /** Casts to an integer of 38 digits. */
  readonly dec: (value: string) => string;
  readonly text: (value: string) => string;
  readonly hex: (hash: string) => string;
  readonly bytes: (address: string) => string;
  readonly countIf: (condition: string) => string;
  readonly isType: (type: number) => string;
  readonly day: (time: string) => string;
  readonly thousand: (number: string) => string;
  readonly atMin: (value: string, by: string) => string;
  readonly atMax: (value: string, by: string) => string;
  readonly time: (day: UtcDay) => string;
  /** @param seconds since 1970 */
  readonly moment: (seconds: number) => string;
  readonly blobFee: (gas: string, excess: string, fraction: string) => string;
  /** True if the L1 attributes' calldata names an operator fee: bytes 164 to 175. */
  readonly hasOperatorFee: (data: string) => string;
  /** True if a floating-point number may have lost digits. */
  readonly inexact?: (value: string) => string;
}

const iso = (seconds: number): string =>
  new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ');

/** Bytes as hex. */
const hexText = {
  hex: (hash: string) => hash,
  bytes: (address: string) => `'${address}'`,
  isType: (type: number) => `type = ${type}`,
  hasOperatorFee: (data: string) =>
    `LENGTH(${data}) >= 354 AND SUBSTR(${data}, 331, 24) <> '${'0'.repeat(24)}'`,
} as const;

/** Terms of the series of e^x: more than any price that was ever paid needs. */
const STEPS = 120;

const trino = {
  dec: (value: string) => `CAST(${value} AS decimal(38,0))`,
  text: (value: string) => `CAST(${value} AS varchar)`,
  countIf: (condition: string) => `COUNT_IF(${condition})`,
  day: (time: string) => `CAST(${time} AS date)`,
  thousand: (number: string) => `${number} / 1000`,
  atMin: (value: string, by: string) => `MIN_BY(${value}, ${by})`,
  atMax: (value: string, by: string) => `MAX_BY(${value}, ${by})`,
  time: (day: UtcDay) => `TIMESTAMP '${day} 00:00:00'`,
  moment: (seconds: number) => `TIMESTAMP '${iso(seconds)}'`,
  isType: (type: number) => `CAST(type AS varchar) IN ('${type}', '0x${type.toString(16)}')`,
  // Trino's division of decimals rounds, so the remainder is subtracted first.
  blobFee: (gas: string, x: string, f: string) =>
    `CASE WHEN ${gas} = 0 THEN CAST(0 AS decimal(38,0)) ELSE ${gas} * REDUCE(SEQUENCE(1, ${STEPS}), CAST(ROW(0, ${f}) AS ROW(o decimal(38,0), a decimal(38,0))), ` +
    `(q, i) -> CAST(ROW(q.o + q.a, (q.a * ${x} - (q.a * ${x}) % (${f} * i)) / (${f} * i)) AS ROW(o decimal(38,0), a decimal(38,0))), ` +
    `q -> (q.o - q.o % ${f}) / ${f}) END`,
} as const;

const DUNE_SCHEMAS: Partial<Record<ChainName, string>> = {
  ETHEREUM: 'ethereum',
  ARBITRUM: 'arbitrum',
  BSC: 'bnb',
  OPTIMISM: 'optimism',
  BASE: 'base',
  POLYGON: 'polygon',
};

const dune: Dialect = {
  ...trino,
  note: 'Run it in pieces of three to six months, and join the files. We have not run it on Dune.',
  tables: (chain) => {
    const schema = DUNE_SCHEMAS[chain];
    if (!schema) return undefined;
    const isOp = schema === 'optimism' || schema === 'base';
    const hasBlobs = schema === 'ethereum' || schema === 'bnb';
    return {
      key: 'n',
      blocks: `SELECT time AS ts, number AS n, hash AS h, miner, gas_used AS g, base_fee_per_gas AS fee${hasBlobs ? ', blob_gas_used AS bg, excess_blob_gas AS x' : ''} FROM ${schema}.blocks`,
      transactions: `SELECT block_time AS ts, block_number AS n, "index" AS i, "from" AS sender, "to" AS receiver, type, gas_used AS gas, gas_price AS price, gas_limit, ${isOp ? 'l1_fee' : 'NULL'} AS l1, data FROM ${schema}.transactions`,
    };
  },
  hex: (hash) => `'0x' || LOWER(TO_HEX(${hash}))`,
  bytes: (address) => address,
  hasOperatorFee: (data) =>
    `bytearray_length(${data}) >= 176 AND bytearray_substring(${data}, 165, 12) <> 0x${'0'.repeat(24)}`,
};

const BIGQUERY_DATASETS: Partial<Record<ChainName, string>> = {
  POLYGON: 'polygon_mainnet',
  ARBITRUM: 'arbitrum_one',
};

const bigquery: Dialect = {
  ...hexText,
  note: 'bq query --dry_run prints the bytes. We have not run it on BigQuery.',
  tables: (chain) => {
    const name = BIGQUERY_DATASETS[chain];
    if (!name) return undefined;
    const table = (of: string) => `\`bigquery-public-data.goog_blockchain_${name}_us.${of}\``;
    return {
      key: 'h',
      blocks: `SELECT block_timestamp AS ts, block_number AS n, block_hash AS h, miner, gas_used AS g, base_fee_per_gas AS fee FROM ${table('blocks')}`,
      // Receipts have no number of their block, and no type.
      transactions:
        'SELECT r.block_timestamp AS ts, r.block_hash AS h, r.transaction_index AS i, r.from_address AS sender, r.to_address AS receiver, x.transaction_type AS type, ' +
        `r.gas_used AS gas, r.effective_gas_price AS price, x.gas AS gas_limit, NULL AS l1, NULL AS data FROM ${table('receipts')} AS r ` +
        `LEFT JOIN ${table('transactions')} AS x ON x.transaction_hash = r.transaction_hash AND x.block_timestamp = r.block_timestamp`,
    };
  },
  dec: (value) => `CAST(${value} AS BIGNUMERIC)`,
  text: (value) => `CAST(${value} AS STRING)`,
  countIf: (condition) => `COUNTIF(${condition})`,
  day: (time) => `DATE(${time})`,
  thousand: (number) => `DIV(${number}, 1000)`,
  atMin: (value, by) => `ARRAY_AGG(${value} ORDER BY ${by} LIMIT 1)[OFFSET(0)]`,
  atMax: (value, by) => `ARRAY_AGG(${value} ORDER BY ${by} DESC LIMIT 1)[OFFSET(0)]`,
  time: (day) => `TIMESTAMP '${day} 00:00:00+00'`,
  moment: (seconds) => `TIMESTAMP '${iso(seconds)}+00'`,
  // It has no chain with blobs.
  blobFee: () => '0',
};

const athena: Dialect = {
  ...hexText,
  ...trino,
  note: 'Tables of SonarX in us-east-2. Add a condition on the partition column "date", with a day more on each side. We have not run it on Athena.',
  tables: (chain) =>
    chain === 'BASE'
      ? {
          key: 'n',
          blocks:
            'SELECT from_unixtime(CAST("timestamp" AS bigint)) AS ts, CAST(block_number AS bigint) AS n, block_hash AS h, miner, gas_used AS g, base_fee_per_gas AS fee FROM sonarx_base.blocks',
          transactions:
            'SELECT from_unixtime(CAST("timestamp" AS bigint)) AS ts, CAST(block_number AS bigint) AS n, transaction_index AS i, LOWER(from_address) AS sender, LOWER(to_address) AS receiver, ' +
            'transaction_type AS type, gas_used AS gas, CAST(COALESCE(effective_gas_price, gas_price) AS bigint) AS price, gas AS gas_limit, CAST(l1_fee AS bigint) AS l1, input AS data FROM sonarx_base.transactions',
        }
      : undefined,
  // Its L1 fees are floating-point numbers.
  inexact: (value) => `${value} >= 9007199254740992`,
};

/** Reads tables of blocks and transactions as nodes return them, for trials on one machine. */
const duckdb: Dialect = {
  ...hexText,
  note: 'Tables of blocks and transactions of one chain, with hex as text.',
  tables: () => ({
    key: 'n',
    blocks:
      "SELECT to_timestamp(timestamp) AT TIME ZONE 'UTC' AS ts, number AS n, hash AS h, miner, gas_used AS g, base_fee_per_gas AS fee, blob_gas_used AS bg, excess_blob_gas AS x FROM blocks",
    transactions:
      'SELECT to_timestamp(block_timestamp) AT TIME ZONE \'UTC\' AS ts, block_number AS n, transaction_index AS i, "from" AS sender, "to" AS receiver, type, gas_used AS gas, effective_gas_price AS price, gas AS gas_limit, l1_fee AS l1, input AS data FROM transactions',
  }),
  dec: (value) => `CAST(${value} AS HUGEINT)`,
  text: (value) => `CAST(${value} AS VARCHAR)`,
  countIf: (condition) => `COUNT_IF(${condition})`,
  day: (time) => `CAST(${time} AS DATE)`,
  thousand: (number) => `${number} // 1000`,
  atMin: (value, by) => `MIN_BY(${value}, ${by})`,
  atMax: (value, by) => `MAX_BY(${value}, ${by})`,
  time: (day) => `TIMESTAMP '${day} 00:00:00'`,
  moment: (seconds) => `TIMESTAMP '${iso(seconds)}'`,
  // The elements of the list have the type of the sum, as list_reduce demands.
  blobFee: (gas, x, f) =>
    `CASE WHEN ${gas} = 0 THEN 0::HUGEINT ELSE ${gas} * (list_reduce(list_transform(range(0, ${STEPS + 1}), lambda i: {'i': i::HUGEINT, 'o': 0::HUGEINT, 'a': ${f}}), ` +
    `lambda q, e: {'i': e.i, 'o': q.o + q.a, 'a': (q.a * ${x}) // (${f} * e.i)}).o // ${f}) END`,
};

export const dialects = { dune, bigquery, athena, duckdb } as const satisfies Record<string, Dialect>;
