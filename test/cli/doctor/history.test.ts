import fc from 'fast-check';
import { firstWholeDay, oldestBlock } from '../../../cli/doctor/history.ts';
import { startOfDay } from '../../../lambda/chains/utc-day.ts';

test('the oldest block of any history is found, in about as many looks as its head has binary digits', async () => {
  const anyHistory = fc
    .integer({ min: 0, max: 500_000_000 })
    .chain((head) => fc.record({ head: fc.constant(head), oldest: fc.integer({ min: 0, max: head }) }));
  await fc.assert(
    fc.asyncProperty(anyHistory, async ({ head, oldest }) => {
      let looks = 0;
      const found = await oldestBlock(head, async (number) => {
        looks += 1;
        return number >= oldest;
      });
      expect(found).toBe(oldest);
      expect(looks).toBeLessThanOrEqual(Math.ceil(Math.log2(head + 1)) + 1);
    }),
  );
});

test('where all of it is there, one look is enough', async () => {
  const looks: number[] = [];
  const has = async (number: number) => looks.push(number) > 0;
  expect([await oldestBlock(400_000_000, has), looks]).toEqual([0, [0]]);
});

test('the first whole day is the one after the oldest block, whose own day has an unknown beginning', () => {
  const timestamp = startOfDay('2026-11-18');
  expect(firstWholeDay({ number: 7, timestamp }, '2015-07-30')).toBe('2026-11-19');
  expect(firstWholeDay({ number: 7, timestamp: timestamp - 1 }, '2015-07-30')).toBe('2026-11-18');
});

test('with genesis it is the chain’s first day, though genesis may have no time of its own', () => {
  expect(firstWholeDay({ number: 0, timestamp: 0 }, '2015-07-30')).toBe('2015-07-30');
  expect(firstWholeDay({ number: 0, timestamp: startOfDay('2026-11-18') + 5 }, '2015-07-30')).toBe(
    '2026-11-18',
  );
});
