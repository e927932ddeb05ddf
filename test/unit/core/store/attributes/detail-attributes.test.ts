import fc from 'fast-check';
import { parseDetails, toDetailAttributes } from '#core/store/attributes/detail-attributes.ts';
import { anyDetails } from '#test/support/generators/details.ts';

/** The numbers of an item as the table returns them. */
const asRead = (value: unknown): unknown => {
  if (typeof value === 'number') return BigInt(value);
  if (Array.isArray(value)) return value.map(asRead);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asRead(member)]));
};

test('details are read as they were written', () => {
  fc.assert(
    fc.property(anyDetails, (details) => {
      expect(parseDetails(asRead(toDetailAttributes(details)))).toEqual({ details });
    }),
    { numRuns: 50 },
  );
});

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
