import { firstDifference } from '../../../cli/verify/compare.ts';
import { NO_FEES } from '../../../lambda/chains/fee-parts.ts';
import type { SummedBlock } from '../../../lambda/ingest/blocks/read.ts';
import { hashOf } from '../../support/builders.ts';

const block = (number: number, given: Partial<SummedBlock> = {}): SummedBlock => ({
  number,
  hash: hashOf(number),
  parentHash: hashOf(number - 1),
  timestamp: number * 10,
  host: 'a.example',
  isProven: true,
  totals: { blocks: 1, transactions: 2, protocolTransactions: 0, fees: { ...NO_FEES, execution: 7n } },
  ...given,
});
const day = [4, 5, 6].map((number) => block(number));
const changed = (given: Partial<SummedBlock>) => day.map((one) => (one.number === 5 ? block(5, given) : one));

test('finds no difference between equal blocks of different endpoints', () => {
  expect(
    firstDifference(
      day,
      day.map((one) => ({ ...one, host: 'b.example' })),
    ),
  ).toBeUndefined();
  expect(firstDifference([], [])).toBeUndefined();
});

test.each<[string, Partial<SummedBlock>]>([
  ['hash', { hash: hashOf('fork') }],
  ['timestamp', { timestamp: 51 }],
  ['transactions', { totals: { ...block(5).totals, transactions: 3 } }],
  ['protocol transactions', { totals: { ...block(5).totals, protocolTransactions: 1 } }],
  ['fees', { totals: { ...block(5).totals, fees: { ...NO_FEES, execution: 8n } } }],
  ['kind of fee', { totals: { ...block(5).totals, fees: { ...NO_FEES, blob: 7n } } }],
])('finds a block whose %s differs', (_, given) => {
  const other = changed(given);
  expect(firstDifference(day, other)).toEqual({ number: 5, one: day[1], other: other[1] });
});

test('finds a block that only one side has, at the start or end of the day', () => {
  expect(firstDifference(day, day.slice(1))).toEqual({ number: 4, one: day[0], other: undefined });
  expect(firstDifference(day.slice(1), day)).toEqual({ number: 4, one: undefined, other: day[0] });
  expect(firstDifference(day, day.slice(0, 2))).toEqual({ number: 6, one: day[2], other: undefined });
  expect(firstDifference([], day)).toEqual({ number: 4, one: undefined, other: day[0] });
});
