import { parseDetails, toDetailAttributes } from '#core/store/attributes/detail-attributes.ts';

test('a busy day of fees takes less than 4 KB', () => {
  const feeCounts = new Map(
    Array.from({ length: 900 }, (_, index) => [400 + index, 1_500 * (index % 7) + 1]),
  );
  const { fee_counts: text } = toDetailAttributes({ hours: [], feeCounts });
  expect(text.length).toBeLessThan(4_096);
});

test.each([
  ['no object', 7],
  ['a day of 23 hours', { hours: { block_count: Array.from({ length: 23 }, () => 0n) }, fee_counts: '' }],
  ['hours without a count', { hours: {}, fee_counts: '' }],
])('%s is refused', (_, value) => {
  expect(parseDetails(value)).toEqual({ problem: expect.stringMatching(/^details: /) });
});
