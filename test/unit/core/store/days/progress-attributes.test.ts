import { chainOf } from '#core/chains/chains.ts';
import { startOfDay } from '#core/figures/calendar.ts';
import { type DayProgress, startDayProgress } from '#core/figures/progress.ts';
import { decodeProgress, toProgressAttributes } from '#core/store/days/progress-attributes.ts';
import type { Item } from '#core/store/table/table.ts';
import { blockAt, dayProgress } from '#test/support/generators/blocks/builders.ts';
import { useStore } from '#test/support/tables/table.ts';

/* Proves that a day continues with the progress that was saved, and starts over if that follows other rules than this version's. */

const { table } = useStore('OPTIMISM');
const DAY = '2026-11-18';
const { rules } = chainOf('OPTIMISM');
if (rules.family !== 'op-stack') throw new Error('not an OP Stack');

/** A day whose last block so far is a second after midnight. */
const begun: DayProgress = {
  ...dayProgress(DAY, 200_000_000, 200_000_001),
  last: { ...blockAt(200_000_001), host: 'a.example' },
  notBefore: startOfDay(DAY) + 1,
  feeCounts: new Map([[300, 2]]),
  hosts: ['a.example', 'b.example'],
  provenBlocks: 2,
  priceToCompare: 200_000_001,
};

/** Saves progress, changes what is saved, and decodes it by other rules. */
async function readAfter(progress: DayProgress, change: Item = {}, other: object = {}, version = 1) {
  const saved = { ...toProgressAttributes({ rules }, progress), ...change };
  await table().putIf({ chain: 'OPTIMISM', date: `progress#${DAY}`, progress: saved });
  const item = await table().getItem({ chain: 'OPTIMISM', date: `progress#${DAY}` });
  const given = { date: `progress#${DAY}`, definition_version: version, progress: item?.progress };
  return decodeProgress({ rules: { ...rules, ...other } as typeof rules }, given);
}

test.each([
  ['of a day with blocks', begun],
  ['before the first block of a day', startDayProgress(DAY, { ...blockAt(9), host: 'a.example' })],
  ['before genesis', startDayProgress(DAY, undefined)],
])('keeps progress %s', async (_, progress) => {
  expect(await readAfter(progress)).toEqual(progress);
});

test.each([
  ['that does not decode', { last_block: { number: 7, hash: 7 } }, {}, 1],
  ['of other measures', { measure_versions: '1 2' }, {}, 1],
  ['of other definitions', {}, {}, 2],
  ['of a fork that changed its last block', {}, { jovianTime: begun.notBefore }, 1],
])('has no progress %s', async (_, change, other, version) => {
  expect(await readAfter(begun, change, other, version)).toBeUndefined();
});

test.each([
  ['that ends before a fork', begun.notBefore + 1, begun.notBefore + 9],
  ['that begins with a fork at midnight, or after it', startOfDay(DAY), startOfDay(DAY) - 9],
])('keeps progress %s, whenever that is', async (_, jovianTime, other) => {
  const saved = toProgressAttributes({ rules: { ...rules, jovianTime } }, begun);
  expect(await readAfter(begun, saved, { jovianTime: other })).toEqual(begun);
});

test('keeps progress without blocks though the number before it is of another era', async () => {
  const none = startDayProgress(DAY, blockAt(5));
  expect(await readAfter(none, {}, { bedrockBlock: 3 })).toEqual(none);
});
