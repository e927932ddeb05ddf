import { type ArchiveName, archiveNames } from '#cli/history/dialects.ts';
import { archiveQuery, archivesOf } from '#cli/history/query.ts';
import { parseRow } from '#cli/history/row.ts';
import { validateBlock } from '#core/blocks/validate-block.ts';
import { type ChainName, chainNames, chainOf } from '#core/chains/chains.ts';
import { unprovenOf } from '#core/chains/provable.ts';
import { dayOf } from '#core/figures/calendar.ts';
import { blobGasPrice } from '#core/proof/prices/eip4844.ts';
import { openArchive } from '#docs/examples/query-node.ts';
import { contradictionOf } from '#test/support/contradiction-of.ts';
import {
  completeBlocks,
  type FullBlock,
  readFullBlock,
} from '#test/support/generators/blocks/full-blocks.ts';

type Json = Record<string, unknown>;

/** Runs the query over an archive that holds one recorded block, and returns its only row by field. */
async function query(
  chain: ChainName,
  full: Pick<FullBlock, 'block' | 'receipts'>,
): Promise<Readonly<Record<string, string>>> {
  const db = await openArchive([full]);
  const day = dayOf(Number(full.block.timestamp));
  const result = await db.runAndReadAll(archiveQuery(chainOf(chain), 'duckdb', day, day));
  const [row] = result.getRowObjects();
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, String(value)]));
}

const recorded = completeBlocks.map(([name, folder]) => readFullBlock(folder, name));

/** Recordings without L1 fees, such as those before Bedrock: an archive without them must be refused. */
const lacksL1Fees = ({ chain, block, receipts }: FullBlock) =>
  chainOf(chain).rules.family === 'op-stack' &&
  receipts.some((receipt, index) => {
    const { type } = (block.transactions as Json[])[index] ?? {};
    return type !== '0x7e' && (receipt as Json).l1Fee === undefined;
  });
// No audit can prove a block before Bedrock, so its rows are refused in any case.
const hashable = recorded.filter(
  (full) => !lacksL1Fees(full) && !unprovenOf(chainOf(full.chain).rules, full.number),
);

test.each(recorded.filter(lacksL1Fees).map((full) => [`${full.chain} ${full.number}`, full] as const))(
  'the row of %s, whose L1 fees are unknown, is refused',
  async (_, full) => {
    const parsed = parseRow(chainOf(full.chain), 1, await query(full.chain, full));
    expect(parsed).toMatchObject({
      problem: expect.stringMatching(/missing_values: \d+ is not 0: rows lack a value/),
    });
  },
);

test.each(hashable.map((full) => [`${full.chain} ${full.number}`, full] as const))(
  'the query over %s gives what its proof gives',
  async (_, full) => {
    const chain = chainOf(full.chain);
    const proven = validateBlock({ chain, evidence: 'proven' }, full.number, full.block, full.receipts);
    if ('refused' in proven) throw new Error(proven.refused);
    const cells = await query(full.chain, full);
    const parsed = parseRow(chain, 1, cells);
    if ('problem' in parsed) throw new Error(parsed.problem);
    expect(parsed.firstHash).toBe(proven.value.hash);
    expect(contradictionOf(chain, parsed, proven.value.totals)).toBe('');
  },
);

test('a lost last transaction shows in the gas of the block', async () => {
  const full = hashable.find(
    ({ chain, receipts }) => chain === 'ETHEREUM' && receipts.length > 1,
  ) as FullBlock;
  const transactions = (full.block.transactions as Json[]).slice(0, -1);
  const cells = await query('ETHEREUM', {
    block: { ...full.block, transactions },
    receipts: full.receipts.slice(0, -1),
  });
  expect(parseRow(chainOf('ETHEREUM'), 1, cells)).toMatchObject({
    problem: expect.stringMatching(/gas_difference: -\d+ is not 0/),
  });
});

test('since Amsterdam, when gas shows no lost transaction, the query gives what the proof gives, and the indexes show one', async () => {
  const chain = chainOf('ETHEREUM');
  const full = readFullBlock('test/fixtures/real-nodes/ethereum', 'amsterdam-block-25.json.gz');
  const proven = validateBlock({ chain, evidence: 'proven' }, full.number, full.block, full.receipts);
  if ('refused' in proven) throw new Error(proven.refused);
  const cells = await query('ETHEREUM', full);
  const parsed = parseRow(chain, 1, cells);
  if ('problem' in parsed) throw new Error(parsed.problem);
  expect(cells.gas_difference).toBe('2906773');
  expect(contradictionOf(chain, parsed, proven.value.totals)).toBe('');
  const without = (at: number) => ({
    block: { ...full.block, transactions: (full.block.transactions as Json[]).toSpliced(at, 1) },
    receipts: full.receipts.toSpliced(at, 1),
  });
  const problem = expect.stringMatching(/missing_values: 1 is not 0: .* transactions are missing/);
  for (const at of [0, 7])
    expect(parseRow(chain, 1, await query('ETHEREUM', without(at)))).toMatchObject({ problem });
});

test.each([0, 131_072, 20_000_000])(
  'the query prices blobs of GNOSIS from its least price on, at an excess of %i',
  async (excessBlobGas) => {
    const time = Date.parse('2026-05-01T12:00:00Z') / 1_000;
    const header = {
      number: 46_000_000,
      hash: '0x1',
      miner: '0x2',
      gasUsed: 0,
      baseFeePerGas: 7,
      transactions: [],
    };
    const block = { ...header, timestamp: time, blobGasUsed: 262_144, excessBlobGas };
    const { blob_fees } = await query('GNOSIS', { block, receipts: [] });
    const price = blobGasPrice(chainOf('GNOSIS').rules, {
      timestamp: `0x${time.toString(16)}`,
      excessBlobGas: `0x${excessBlobGas.toString(16)}`,
    });
    expect(price).toBeGreaterThanOrEqual(10n ** 9n);
    expect(blob_fees).toBe(String(262_144n * price));
  },
);

const queryOf = (chain: ChainName, archive: ArchiveName) =>
  archiveQuery(chainOf(chain), archive, '2024-01-01', '2024-06-30');

test('Dune has six chains, BigQuery two that are exact, and Athena one', () => {
  const has = (archive: ArchiveName) =>
    chainNames.filter((chain) => archivesOf(chainOf(chain)).includes(archive));
  expect(() => queryOf('BSC', 'athena')).toThrow("athena does not have all parts of BSC's fees");
  expect(has('dune')).toEqual(['ETHEREUM', 'ARBITRUM', 'BSC', 'OPTIMISM', 'BASE', 'POLYGON']);
  expect(has('bigquery')).toEqual(['ARBITRUM', 'POLYGON']);
  expect(has('athena')).toEqual(['BASE']);
});

const TABLES = /FROM \((SELECT .*?)\) AS (blocks|t) (?=WHERE|JOIN)/gs;
/** Returns what all dialects share: no tables, the same name of a type, and addresses without quotes. */
const sharedPart = (sql: string): string =>
  sql
    .replace(/^--.*\n/, '')
    .replaceAll(TABLES, 'FROM $2 ')
    .replaceAll(/SUM\(CASE WHEN bg = 0 .*?\) (?=AS blob_fees)/g, 'SUM(blob fee) ')
    .replaceAll(/decimal\(38,0\)|BIGNUMERIC|HUGEINT/g, 'INTEGER')
    .replaceAll(/varchar|STRING/g, 'TEXT')
    .replaceAll(/'(0x[0-9a-f]{40})'/g, '$1')
    .replaceAll(/b\.[nh] = t\.[nh]/g, 'b.key = t.key');

/** The columns that the shared part reads from the tables. */
const READ = {
  blocks: ['ts', 'n', 'h', 'miner', 'g', 'fee'],
  t: ['ts', 'i', 'sender', 'receiver', 'type', 'gas', 'price', 'gas_limit'],
};

test.each(archiveNames.filter((archive) => archive !== 'duckdb'))(
  'the queries of %s differ from those that run in DuckDB by tables, names of types and the series of the blob fee alone',
  (archive) => {
    for (const chain of chainNames) {
      if (!archivesOf(chainOf(chain)).includes(archive)) continue;
      const sql = queryOf(chain, archive);
      expect(sharedPart(sql)).toBe(sharedPart(queryOf(chain, 'duckdb')));
      for (const [, table = '', of] of sql.matchAll(TABLES)) {
        const columns = new Set(table.split(' FROM ')[0]?.match(/\w+(?=,|$)/g));
        expect(READ[of as keyof typeof READ].filter((name) => !columns.has(name))).toEqual([]);
      }
    }
  },
);

test('days before the first of a chain are refused, and days that nobody can prove are named', () => {
  const base = chainOf('BASE');
  expect(() => archiveQuery(base, 'dune', '2023-06-14', '2023-07-01')).toThrow('BASE begins on 2023-06-15.');
  expect(() => archiveQuery(base, 'dune', '2023-07-01', '2062-07-01')).toThrow('2062-07-01 is not over');
  expect(() => archiveQuery(base, 'dune', '2023-07-02', '2023-07-01')).toThrow('2023-07-02 is after');
  expect(archiveQuery(base, 'dune', '2023-06-15', '2023-07-01')).not.toContain('refused');
  expect(queryOf('ARBITRUM', 'dune').split('\n')[0]).toContain('Days before block 22207818 are refused');
});

test('the rules come from the row of the chain', () => {
  const schedule = [
    { from: 1_710_338_135, target: 3, max: 6, updateFraction: 111 },
    { from: 1_746_612_311, target: 6, max: 9, updateFraction: 222 },
  ];
  const forked = { ...chainOf('ETHEREUM'), rules: { family: 'ethereum', blobSchedule: schedule } as const };
  expect(archiveQuery(forked, 'dune', '2024-01-01', '2026-01-01')).toContain(
    "CASE WHEN ts >= TIMESTAMP '2025-05-07 10:05:11' THEN 222 WHEN ts >= TIMESTAMP '2024-03-13 13:55:35' THEN 111 END",
  );
  const asksForOperatorFee = /i = 0 AND sender IN \(0xdead\w+\) AND names_operator_fee/;
  expect(queryOf('BASE', 'dune')).not.toMatch(asksForOperatorFee);
  expect(archiveQuery(chainOf('BASE'), 'dune', '2025-05-01', '2025-06-01')).toMatch(asksForOperatorFee);
});
