import { namedEnd } from '#core/days/end.ts';
import type { BlockRef } from '#core/figures/block.ts';
import { addDays, type UtcDay } from '#core/figures/calendar.ts';
import { dayFigures, hashOf, provenance } from '#test/support/generators/blocks/builders.ts';
import { answerFrom, refAt, summedBlock } from '#test/support/generators/chains/sample-chain.ts';
import { DAY, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { dayRunOf, serveAnswers } from '#test/support/nodes/hosts.ts';
import { putDay } from '#test/support/tables/put-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('ETHEREUM');
const NEXT = addDays(DAY, 1);
const parentHash = hashOf('parent');

/** The day after, which ends with block 7. */
const putDayAfter = (first: BlockRef | undefined) =>
  putDay(store(), dayFigures(NEXT, { parentHash, first, last: refAt(sampleBlocks, 7) }), provenance());

async function knownEnd(day: UtcDay, isProofRequired = false) {
  using hosts = serveAnswers([answerFrom(sampleBlocks)]);
  const run = dayRunOf(hosts, { ...summedBlock(sampleBlocks, 9, 'a'), hosts: [] }, table());
  return await namedEnd({ ...run, network: { ...run.network, isProofRequired } }, day);
}

test.each<[string, number | undefined, number]>([
  ['the parent of its first', 5, 4],
  ['its own last, of a day without blocks', undefined, 7],
])('the last block before a day is %s', async (_, first, number) => {
  await putDayAfter(first === undefined ? undefined : refAt(sampleBlocks, first));
  expect(await knownEnd(DAY)).toEqual({ number, hash: parentHash, finality: provenance().finality });
});

test('a final day that only hosts vouch for ends no day where the chain must prove that', async () => {
  await putDayAfter(refAt(sampleBlocks, 5));
  expect(await knownEnd(DAY, true)).toBeUndefined();
});
