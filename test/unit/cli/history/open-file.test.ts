import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFile } from '#cli/history/open-file.ts';
import { drawRows } from '#cli/history/sample.ts';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { addDays } from '#core/figures/calendar.ts';
import { createFolder } from '#test/support/folders.ts';

const fixture = (name: string) => `test/fixtures/archives/${name}`;
const open = (name: string, chain: ChainName) => openFile(fixture(name), chainOf(chain));

test.each([
  ['good-bsc-days.csv', 'BSC', 40, 40],
  ['good-polygon-days.ndjson', 'POLYGON', 30, 30],
  ['good-base-ranges.csv', 'BASE', 3, 132],
  // Since Amsterdam, gas of a header is not the sum of receipts.
  ['good-amsterdam.csv', 'ETHEREUM', 5, 5],
] as const)('accepts %s', async (name, chain, days, ranges) => {
  const file = await open(name, chain);
  expect([file.days.length, file.rows.length, file.isRounded]).toEqual([days, ranges, false]);
});

test('refuses a gas difference of Ethereum before it could have Amsterdam, and one that is not a number', async () => {
  const rows = readFileSync(fixture('good-amsterdam.csv'), 'utf8');
  const path = join(folder(), 'early.csv');
  const openWith = (from: string, to: string) => {
    writeFileSync(path, rows.replaceAll(from, to));
    return openFile(path, chainOf('ETHEREUM'));
  };
  await expect(openWith('2026-11-', '2026-10-')).rejects.toThrow(
    '2026-10-22: gas_difference: 4038480 is not 0: the archive lacks rows',
  );
  await expect(openWith(',4038480,', ',4e6,')).rejects.toThrow('gas_difference: 4e6 is not a whole number');
});

test('sums the ranges of a day', async () => {
  const { days } = await open('good-base-ranges.csv', 'BASE');
  expect(days.map(({ first, last }) => last - first + 1)).toEqual([43_200, 43_200, 43_200]);
  expect(days.map(({ totals }) => totals.blocks)).toEqual([43_200, 43_200, 43_200]);
});

test.each([
  [
    'bad-gap.csv',
    'block 5668471 of 2021-03-13 must be followed by the next block, of that day or of 2021-03-14, but block 5697093 of 2021-03-15 follows',
  ],
  ['bad-duplicate-day.csv', /lines 9 and 10: block \d+ of 2021-03-08 .* but block \d+ of 2021-03-08 follows/],
  ['bad-scientific.csv', 'execution_fees: 3.519045424876655e+21 is not wei in digits'],
  ['bad-no-blob-column.csv', 'blob_fees: the column is missing'],
  [
    'bad-missing-transactions.csv',
    '2021-03-12: gas_difference: -1284906117 is not 0: the archive lacks rows',
  ],
  ['bad-block-count.csv', /2021-03-06: block_count: \d+ is wrong/],
  ['bad-thousands.csv', 'line 2, 2021-03-01: transaction_count: 2,516,547 is not a whole number in digits'],
])('refuses %s and says why', async (name, reason) => {
  await expect(open(name, 'BSC')).rejects.toThrow(reason);
});

test('accepts the form of rounded fees, and warns that all are floating-point numbers', async () => {
  expect((await open('bad-rounded.csv', 'BSC')).isRounded).toBe(true);
});

test('refuses rows of another chain, of single blocks and with an unknown column', async () => {
  await expect(open('good-bsc-days.csv', 'POLYGON')).rejects.toThrow('chain: BSC is not POLYGON');
  await expect(open('good-real-blocks.csv', 'ETHEREUM')).rejects.toThrow(
    'block 468179 of 2015-10-31 must be followed',
  );
});

const root = createFolder();
const folder = () => root;

const HEAD =
  'chain,date,first_block,last_block,block_count,transaction_count,protocol_transaction_count,execution_fees,l1_data_fees,operator_fees,blob_fees,retryable_double_count';

const line = (index: number, given: Record<string, string> = {}) => {
  const first = 1_000_000 + index * 10;
  const cells: Record<string, string> = {
    chain: 'POLYGON',
    date: addDays('2022-12-01', Math.floor(index / 4)),
    first_block: String(first),
    last_block: String(first + 9),
    block_count: '10',
    transaction_count: '7',
    protocol_transaction_count: '0',
    execution_fees: '12345',
    l1_data_fees: '',
    operator_fees: '0',
    blob_fees: '',
    retryable_double_count: '0',
    ...given,
  };
  return HEAD.split(',')
    .map((name) => cells[name])
    .join(',');
};

const write = (lines: readonly string[], name = 'file.csv', end = '\n'): string => {
  const path = join(folder(), name);
  writeFileSync(path, [HEAD, ...lines].join(end));
  return path;
};

const POLYGON = chainOf('POLYGON');

test('reads carriage returns, a byte order mark, quotes, and empty cells of parts that the chain does not have', async () => {
  const path = write([line(0), line(1, { execution_fees: '"12345"' })], 'file.csv', '\r\n');
  writeFileSync(path, `\ufeff${[HEAD, line(0), line(1, { execution_fees: '"12345"' }), ''].join('\r\n')}`);
  expect(await openFile(path, POLYGON)).toMatchObject({
    days: [{ line: 3, totals: { transactions: 14, fees: { execution: 24_690n, blob: 0n } } }],
  });
});

test.each([
  [{ execution_fees: '' }, 'execution_fees: empty means that the archive lacks it'],
  [{ execution_fees: '.0' }, 'is not wei in digits'],
  [{ execution_fees: 'NaN' }, 'is not wei in digits'],
  [{ execution_fees: 'null' }, 'is not wei in digits'],
  [{ execution_fees: '-1' }, 'is not wei in digits'],
  [{ blob_fees: '1' }, 'blob_fees: 1 is not 0, but POLYGON does not have it on 2022-12-01'],
  [{ protocol_transaction_count: '8' }, 'exceeds transaction_count'],
  [{ date: '2022-13-01' }, 'is not a UTC day'],
  [{ date: '2999-01-01' }, 'the day is not over'],
  [{ date: '2020-01-01' }, 'POLYGON begins on 2020-05-30'],
])('refuses %j', async (given, reason) => {
  await expect(openFile(write([line(0, given)]), POLYGON)).rejects.toThrow(reason);
});

test('refuses a number of NDJSON that JSON has rounded', async () => {
  const path = join(folder(), 'file.ndjson');
  const row = Object.fromEntries(HEAD.split(',').map((name, index) => [name, line(0).split(',')[index]]));
  writeFileSync(path, `${JSON.stringify(row).replace('"12345"', '3519045424876654798')}\n`);
  await expect(openFile(path, POLYGON)).rejects.toThrow(
    'execution_fees: 3519045424876654600 (unsafe) is not wei in digits',
  );
});

test('refuses a file of an era that no node can prove', async () => {
  const classic = line(0, { chain: 'ARBITRUM', date: '2022-01-01' });
  await expect(openFile(write([classic]), chainOf('ARBITRUM'))).rejects.toThrow('before Nitro');
});

test('refuses a line without an end', async () => {
  await expect(openFile(write([`${line(0)}${'0'.repeat(200_000)}`]), POLYGON)).rejects.toThrow(
    'longer than 10000 characters',
  );
});

test('complete days hold all their rows, and do not count as random ranges', async () => {
  const file = await openFile(write(Array.from({ length: 400 }, (_, index) => line(index))), POLYGON);
  const { left, days, strata } = drawRows(POLYGON, file.rows, {
    draws: [{ seed: 'a', ranges: 1, days: 3 }],
    equal: [],
  });
  expect(days).toEqual({ drawn: 3, of: 100 });
  const counts = [...Map.groupBy(left, ({ date }) => date).values()].map(({ length }) => length);
  expect(counts.filter((count) => count === 4)).toHaveLength(3);
  expect(strata.map(({ drawn }) => drawn)).toEqual([1, 1]);
});
