import { countEdits, nearest } from '#lambda/api/nearest.ts';

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

test.each([
  ['a short word', 'week', 'weeek', 'weeeek'],
  ['a word of five letters', 'start', 'sttart', 'stttart'],
])('%s may have one error, and a longer one two', (_, word, once, twice) => {
  expect(nearest(once, [word])).toBe(word);
  expect(nearest(twice, [word])).toBe(word.length > 4 ? word : undefined);
});

test('the nearest of several words counts, and the first of equally near ones', () => {
  expect(nearest('weeks', ['weekly', 'week', 'wee'])).toBe('week');
  expect(nearest('months', ['montha', 'monthb'])).toBe('montha');
});

test.each([
  ['', 'abc', 3],
  ['abc', '', 3],
  ['abc', 'abc', 0],
  ['abc', 'axc', 1],
  ['abc', 'acb', 1],
  ['abcd', 'badc', 2],
  // Two edits of one place are not combined: a swap, then an insertion between its letters.
  ['ca', 'abc', 3],
  ['kitten', 'sitting', 3],
])('from %p to %p takes %i edits', (from, to, edits) => {
  expect([countEdits(from, to), countEdits(to, from)]).toEqual([edits, edits]);
});
