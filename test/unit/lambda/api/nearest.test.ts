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
