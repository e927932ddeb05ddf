import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type ArchiveRow, cellsByField, csvCells, parseRow } from '#cli/history/row.ts';
import { validateBlock } from '#core/blocks/validate-block.ts';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { feePartNames, feeParts } from '#core/figures/fee-parts.ts';
import type { Totals } from '#core/figures/totals.ts';
import { contradictionOf } from '#test/support/contradiction-of.ts';
import { completeBlocks, readFullBlock } from '#test/support/generators/blocks/full-blocks.ts';

const [head = '', ...lines] = readFileSync('test/fixtures/archives/good-real-blocks.csv', 'utf8')
  .trim()
  .split('\n');

const fields = csvCells(head);
const cells = (line: string) => cellsByField(line, fields) ?? {};

const rowOf = (line: string): { readonly chain: ChainName; readonly row: ArchiveRow } => {
  const chain = cells(line).chain as ChainName;
  const parsed = parseRow(chainOf(chain), 1, cells(line));
  if ('problem' in parsed) throw new Error(parsed.problem);
  return { chain, row: parsed };
};

const recorded = new Map(
  completeBlocks.map(([name, folder]) => [
    basename(name).replace(/\.json(\.gz)?$/, ''),
    [folder, name] as const,
  ]),
);

const provenTotals = ({ chain, row }: ReturnType<typeof rowOf>) => {
  const [folder, name] = recorded.get(`${chain}-${row.first}`) ?? [];
  if (!folder || !name) throw new Error(`${chain} ${row.first} is not recorded`);
  const { block, receipts } = readFullBlock(folder, name);
  const valid = validateBlock({ chain: chainOf(chain), evidence: 'proven' }, row.first, block, receipts);
  if ('refused' in valid) throw new Error(valid.refused);
  return valid.value.totals;
};

test.each(['ETHEREUM-18500000', 'ARBITRUM-118369707', 'BASE-2000000', 'POLYGON-43200000'])(
  'one wei or one transaction more in %s is found in each field',
  (name) => {
    const [chain = '', number = ''] = name.split('-');
    const given = rowOf(lines.find((one) => one.startsWith(chain) && one.includes(`,${number},`)) ?? '');
    const proven = provenTotals(given);
    const { totals } = given.row;
    const wrong: readonly (readonly [string, Partial<Totals>])[] = [
      ['transaction_count', { transactions: totals.transactions + 1 }],
      ['block_count', { blocks: totals.blocks + 1 }],
      ...feePartNames.map(
        (part) =>
          [feeParts[part].attribute, { fees: { ...totals.fees, [part]: totals.fees[part] + 1n } }] as const,
      ),
    ];
    for (const [field, changed] of wrong) {
      const row = { ...given.row, totals: { ...totals, ...changed } };
      expect(contradictionOf(chainOf(given.chain), row, proven)).toContain(field);
    }
  },
);

test('before state-sync transactions of Polygon had a type, only user transactions are compared', () => {
  const { row } = rowOf(lines.find((one) => one.startsWith('POLYGON') && one.includes(',10000000,')) ?? '');
  const proven = { ...row.totals, transactions: row.totals.transactions - 1, protocolTransactions: 0 };
  expect(contradictionOf(chainOf('POLYGON'), row, proven)).toBe('');
  const later = { ...row, first: 80_084_800, last: 80_084_800 };
  expect(contradictionOf(chainOf('POLYGON'), later, proven)).toContain('transaction_count 6 → 5');
});
