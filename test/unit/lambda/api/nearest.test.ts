import fc from 'fast-check';
import { nearest } from '#lambda/api/nearest.ts';

const intervals = ['hour', 'day', 'week', 'month', 'quarter', 'year'];

test.each([
  ['weeks', 'week'],
  ['wekk', 'week'],
  ['ewek', 'week'],
  ['QUATER', 'quarter'],
  ['mont', 'month'],
  ['daily', undefined],
  ['', undefined],
  ['decade', undefined],
])('takes %p for %p', (word, meant) => {
  expect(nearest(word, intervals)).toBe(meant);
});

test('finds a word again after one typing error', () => {
  const words = ['ETHEREUM', 'ARBITRUM', 'OPTIMISM', 'POLYGON'];
  const typo = fc.tuple(fc.constantFrom(...words), fc.nat(5), fc.constantFrom('', 'x', 'EE'));
  fc.assert(
    fc.property(typo, ([word, at, instead]) => {
      expect(nearest(word.slice(0, at) + instead + word.slice(at + 1), words)).toBe(word);
    }),
  );
});
