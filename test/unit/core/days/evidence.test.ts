import { RULES_KNOWN_UNTIL } from '#core/chains/fork-times.ts';
import { evidenceOf, lacksStatedPrice } from '#core/days/evidence.ts';
import { addDays } from '#core/figures/calendar.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { blockAt } from '#test/support/generators/blocks/builders.ts';

/* Proves which days are proven: all their blocks, their start, and the rules of their prices. */

const progress = (day: string, provenBlocks = 2, priceToCompare?: number) => ({
  ...startDayProgress(day, blockAt(4)),
  ...{ totals: { ...NO_TOTALS, blocks: 2 }, provenBlocks, priceToCompare },
});
const unknown = addDays(RULES_KNOWN_UNTIL, 1);

test.each([
  ['on the last day whose forks are known', RULES_KNOWN_UNTIL, 7, false],
  ['on the day after it', unknown, 7, true],
  ['but not if a receipt states it', unknown, undefined, false],
] as const)('a price that no receipt states may follow an unknown rule: %s', (_, day, block, lacks) => {
  expect(lacksStatedPrice(progress(day, 2, block))).toBe(lacks);
  expect(evidenceOf(progress(day, 2, block), true)).toBe(lacks ? 'checked' : 'proven');
});

test.each([
  ['proven if all blocks and the start are', 2, true, 'proven'],
  ['checked if a block is not proven', 1, true, 'checked'],
  ['checked if no hash fixes its start', 2, false, 'checked'],
] as const)('a day is %s', (_, provenBlocks, isStartProven, evidence) => {
  expect(evidenceOf(progress(RULES_KNOWN_UNTIL, provenBlocks), isStartProven)).toBe(evidence);
});
