import { readFileSync } from 'node:fs';
import { rangeDifference } from '#core/archive/compare.ts';
import { type ArchiveRow, csvCells, parseRow } from '#core/archive/row.ts';
import { validateBlock } from '#core/blocks/nodes/validate-block.ts';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { loadKeccak } from '#core/proof/encoding/keccak.ts';
import { completeBlocks, readFullBlock } from '#test/support/generators/blocks/full-blocks.ts';

const [head = '', ...lines] = readFileSync('test/fixtures/archives/good-real-blocks.csv', 'utf8')
  .trim()
  .split('\n');

const cells = (line: string) =>
  new Map(csvCells(line).map((cell, index) => [csvCells(head)[index] ?? '', cell]));

const rowOf = (line: string): { readonly chain: ChainName; readonly row: ArchiveRow } => {
  const chain = cells(line).get('chain') as ChainName;
  const parsed = parseRow(chainOf(chain), 1, cells(line));
  if ('problem' in parsed) throw new Error(parsed.problem);
  return { chain, row: parsed.row };
};

const recorded = new Map(
  completeBlocks.map(([name, folder]) => [name.replace(/\.json(\.gz)?$/, ''), [folder, name] as const]),
);

const provenTotals = ({ chain, row }: ReturnType<typeof rowOf>) => {
  const [folder, name] = recorded.get(`${chain}-${row.first}`) ?? [];
  if (!folder || !name) throw new Error(`${chain} ${row.first} is not recorded`);
  const { block, receipts } = readFullBlock(folder, name);
  const valid = validateBlock({ chain: chainOf(chain), evidence: 'proven' }, row.first, block, receipts);
  if ('refused' in valid) throw new Error(valid.refused);
  return valid.value.totals;
};

beforeAll(loadKeccak);

const withRecord = lines.filter((line) =>
  recorded.has(`${cells(line).get('chain')}-${cells(line).get('first_block')}`),
);

test('most rows of real blocks have their record here', () => {
  expect(withRecord.length).toBeGreaterThan(20);
});

test.each(withRecord.map((line) => [line.split(',').slice(0, 3).join(' '), line]))(
  '%s equals the recorded block',
  (_, line) => {
    const given = rowOf(line);
    expect(rangeDifference(chainOf(given.chain), given.row, provenTotals(given))).toBeUndefined();
  },
);

test.each(['ETHEREUM-18500000', 'ARBITRUM-118369707', 'BASE-2000000', 'POLYGON-43200000'])(
  'one wei or one transaction more in %s is found in each field',
  (name) => {
    const line = lines.find(
      (one) => one.startsWith(name.replace(/-.*/, '')) && one.includes(`,${name.replace(/.*-/, '')},`),
    );
    const given = rowOf(line ?? '');
    const proven = provenTotals(given);
    const { row } = given;
    const wrong: [string, ArchiveRow][] = [
      ['transaction', { ...row, transactions: row.transactions + 1 }],
      ['execution_fees', { ...row, fees: { ...row.fees, execution: row.fees.execution + 1n } }],
      ['l1_data_fees', { ...row, fees: { ...row.fees, l1Data: row.fees.l1Data + 1n } }],
      ['operator_fees', { ...row, fees: { ...row.fees, operator: row.fees.operator + 1n } }],
      ['blob_fees', { ...row, fees: { ...row.fees, blob: row.fees.blob + 1n } }],
      [
        'retryable_double_count',
        { ...row, fees: { ...row.fees, retryableDoubleCount: row.fees.retryableDoubleCount + 1n } },
      ],
      ['block_count', { ...row, last: row.last + 1 }],
    ];
    for (const [field, changed] of wrong) {
      expect(rangeDifference(chainOf(given.chain), changed, proven)).toContain(field);
    }
  },
);

test('before state-sync transactions of Polygon had a type, only user transactions are compared', () => {
  const polygon = chainOf('POLYGON');
  const line = lines.find((one) => one.startsWith('POLYGON') && one.includes(',10000000,')) ?? '';
  const { row } = rowOf(line);
  const proven = {
    blocks: 1,
    transactions: row.transactions - 1,
    protocolTransactions: 0,
    fees: row.fees,
    measures: { gasUsed: 0n, failedTransactions: 0n, priorityFees: 0n, blobs: 0n },
  };
  expect(rangeDifference(polygon, row, proven)).toBeUndefined();
  const later = { ...row, first: 80_084_800, last: 80_084_800 };
  expect(rangeDifference(polygon, later, proven)).toContain(
    'transaction_count: the file has 6, the proven blocks 5, a difference of 1',
  );
});
