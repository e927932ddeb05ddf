import { NO_FEES } from '../../../lambda/chains/fees.ts';
import { startOfDay } from '../../../lambda/chains/utc-day.ts';
import { advance, nextBlockOf, startProgress } from '../../../lambda/ingest/progress.ts';
import { hashOf } from '../../support/builders.ts';

const DAY = '2026-11-20';
const MIDNIGHT = startOfDay(DAY);

const summed = (number: number, timestamp: number, parentHash = hashOf(number - 1)) => ({
  number,
  hash: hashOf(number),
  parentHash,
  timestamp,
  totals: { blocks: 1, transactions: number, protocolTransactions: 0, fees: NO_FEES },
});

const start = startProgress(DAY, { number: 9, hash: hashOf(9) });

const advanced = (...blocks: ReturnType<typeof summed>[]) =>
  blocks.reduce((progress, block) => {
    const next = advance('BSC', progress, block);
    if (next === 'complete') throw new Error('the day ended too early');
    return next;
  }, start);

test('a day goes on with the block after the last, from genesis where there is none', () => {
  expect(nextBlockOf(start)).toBe(10);
  expect(nextBlockOf(startProgress(DAY, undefined))).toBe(0);
});

test('blocks are added up, and the first and the last are kept', () => {
  const progress = advanced(summed(10, MIDNIGHT), summed(11, MIDNIGHT), summed(12, MIDNIGHT + 86_399));
  expect(progress).toEqual({
    day: DAY,
    first: { number: 10, hash: hashOf(10) },
    last: { number: 12, hash: hashOf(12) },
    notBefore: MIDNIGHT + 86_399,
    totals: { blocks: 3, transactions: 33, protocolTransactions: 0, fees: NO_FEES },
  });
});

test('a block at the next midnight completes the day, which it is not part of', () => {
  expect(advance('BSC', advanced(summed(10, MIDNIGHT)), summed(11, MIDNIGHT + 86_400))).toBe('complete');
});

test('a day without blocks is complete with the first block after it', () => {
  expect(advance('BSC', start, summed(10, MIDNIGHT + 86_400))).toBe('complete');
});

test('a block whose parent is not the last block is refused, at the end of a day too', () => {
  const stranger = (timestamp: number) => () => advance('BSC', start, summed(10, timestamp, hashOf('fork')));
  const message = `BSC block 10: its parent is ${hashOf('fork')}, but block 9 was read as ${hashOf(9)}`;
  expect(stranger(MIDNIGHT)).toThrow(message);
  expect(stranger(MIDNIGHT + 86_400)).toThrow(message);
});

test('a block older than its day or than the block before it is refused', () => {
  expect(() => advance('BSC', start, summed(10, MIDNIGHT - 1))).toThrow(
    `its timestamp ${MIDNIGHT - 1} is before`,
  );
  expect(() => advanced(summed(10, MIDNIGHT + 5), summed(11, MIDNIGHT + 4))).toThrow(
    'BSC block 11: its timestamp',
  );
});
