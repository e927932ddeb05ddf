import fc from 'fast-check';
import { firstCompleteDay, oldestBlock } from '#cli/doctor/history.ts';
import { startOfDay } from '#core/figures/calendar.ts';

test('finds the oldest block above genesis of any history by binary search', async () => {
  const anyHistory = fc
    .integer({ min: 1, max: 500_000_000 })
    .chain((head) => fc.record({ head: fc.constant(head), oldest: fc.integer({ min: 1, max: head }) }));
  await fc.assert(
    fc.asyncProperty(anyHistory, async ({ head, oldest }) => {
      let requests = 0;
      const found = await oldestBlock(head, async (number) => {
        requests += 1;
        // Pruned nodes keep genesis.
        return number === 0 || number >= oldest;
      });
      expect(found).toBe(oldest);
      expect(requests).toBeLessThanOrEqual(Math.ceil(Math.log2(head + 1)) + 1);
    }),
  );
});

test('finds a complete history with one request', async () => {
  const requested: number[] = [];
  const isAvailable = async (number: number) => requested.push(number) > 0;
  expect([await oldestBlock(400_000_000, isAvailable), requested]).toEqual([1, [1]]);
});

test('a chain that has only genesis begins with it', async () => {
  expect(await oldestBlock(0, () => Promise.reject(new Error('asked for no block')))).toBe(0);
});

test('the first complete day follows the day of the oldest block', () => {
  const timestamp = startOfDay('2026-11-18');
  expect(firstCompleteDay({ number: 7, timestamp }, '2015-07-30')).toBe('2026-11-19');
  expect(firstCompleteDay({ number: 7, timestamp: timestamp - 1 }, '2015-07-30')).toBe('2026-11-18');
});

test('the first complete day of a whole chain is that of its first block after genesis, even when genesis has timestamp 0', () => {
  expect(firstCompleteDay({ number: 0, timestamp: 0 }, '2015-07-30')).toBe('2015-07-30');
  expect(firstCompleteDay({ number: 1, timestamp: startOfDay('2026-11-18') + 5 }, '2015-07-30')).toBe(
    '2026-11-18',
  );
});
