import { type ArchiveName, archiveNames, dialects } from '#cli/history/dialects.ts';
import { type ChainName, chainOf } from '#core/chains/chains.ts';

/*
 * Proves that each archive gives the columns that queries read, where a rule of the chain needs them. query.test.ts runs the SQL of duckdb
 * over recorded blocks; we can run that of no other.
 */

const tables = archiveNames
  .filter((name) => name !== 'duckdb')
  .flatMap((archive) =>
    Object.entries(dialects[archive].tables).map(
      ([chain, of]) => [archive, chain as ChainName, of] as [ArchiveName, ChainName, typeof of],
    ),
  );

/** Returns the names that a subquery gives its columns. */
const columnsOf = (sql: string) =>
  new Set([...sql.matchAll(/(?<= AS |, |SELECT )\w+(?=, | FROM )/g)].map(([name]) => name));
/** A column that is NULL has no values. */
const hasValues = (sql: string, name: string) => columnsOf(sql).has(name) && !sql.includes(`NULL AS ${name}`);

test.each(tables)(
  '%s has the columns of blocks and transactions of %s',
  (_, __, { blocks, transactions, key }) => {
    const missing = (sql: string, names: readonly string[]) => names.filter((name) => !hasValues(sql, name));
    expect(missing(blocks, ['ts', 'n', 'h', 'miner', 'g', 'fee'])).toEqual([]);
    expect(
      missing(transactions, ['ts', key, 'i', 'sender', 'receiver', 'type', 'gas', 'price', 'gas_limit']),
    ).toEqual([]);
  },
);

const familyOf = (chain: ChainName) => chainOf(chain).rules.family;

test.each(tables.filter(([, chain]) => familyOf(chain) === 'op-stack'))(
  '%s has the L1 fees of %s, and says which transactions pay an operator',
  (_, __, { transactions }) => {
    expect([hasValues(transactions, 'l1'), hasValues(transactions, 'names_operator_fee')]).toEqual([
      true,
      true,
    ]);
  },
);

test.each(tables.filter(([, chain]) => 'blobSchedule' in chainOf(chain).rules))(
  '%s has the blob gas of %s, and computes its price',
  (archive, _, { blocks }) => {
    expect([hasValues(blocks, 'bg'), hasValues(blocks, 'x')]).toEqual([true, true]);
    expect(dialects[archive]).toHaveProperty('blobFee');
  },
);
