import { NO_TOTALS } from '#core/figures/totals.ts';
import { describeChanges, differingParts, partsOfDay } from '#core/store/days/compare-figures.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';

const ref = (number: number) => ({ number, hash: hashOf(number) });
const figures = {
  day: '2026-11-18',
  totals: NO_TOTALS,
  parentHash: hashOf(3),
  first: ref(4),
  last: ref(6),
  definitionVersion: 1,
};

test('names the differing parts of a day by attribute', () => {
  const parts = partsOfDay(figures);
  expect(differingParts(parts, partsOfDay({ ...figures, first: ref(4) }))).toEqual([]);
  const other = partsOfDay({ ...figures, first: undefined, last: ref(7), definitionVersion: 2 });
  expect(differingParts(parts, other)).toEqual(['first_block', 'last_block', 'definition_version']);
});

test('describes another parent with both hashes', () => {
  expect(describeChanges(figures, { ...figures, parentHash: hashOf('fork') })).toBe(
    `parent_hash ${hashOf(3)} → ${hashOf('fork')}`,
  );
});
