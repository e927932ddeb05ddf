import { namedEnd, voteOnEnd } from '#core/days/end.ts';
import { type BlockRef, type Finality, type FinalityProof, reportedBy } from '#core/figures/block.ts';
import { addDays, type UtcDay } from '#core/figures/calendar.ts';
import { type DayProgress, startDayProgress } from '#core/figures/progress.ts';
import { saveCheckpoint } from '#core/store/days/checkpoints.ts';
import { dayFigures, finalSums, hashOf, provenance } from '#test/support/generators/blocks/builders.ts';
import { answerFrom, refAt, summedBlock } from '#test/support/generators/chains/sample-chain.ts';
import { DAY, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { dayRunOf, serveAnswers } from '#test/support/nodes/hosts.ts';
import { putDay } from '#test/support/tables/put-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('ETHEREUM');
const NEXT = addDays(DAY, 1);
const parentHash = hashOf('parent');
const proof = { kind: 'sync committee', slot: 7, root: '0x12' } as const;

/** The day after, which ends with block 7. */
const putDayAfter = (first: BlockRef | undefined) =>
  putDay(store(), dayFigures(NEXT, { parentHash, first, last: refAt(sampleBlocks, 7) }), provenance());

async function knownEnd(day: UtcDay, isProofRequired = false, proof?: FinalityProof) {
  using hosts = serveAnswers([answerFrom(sampleBlocks)]);
  const run = dayRunOf(hosts, { ...summedBlock(sampleBlocks, 9, 'a'), hosts: [], proof }, table());
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

describe('a day that is being read ends the day before it', () => {
  const start = startDayProgress(NEXT, refAt(sampleBlocks, 4));
  const read = { ...start, first: refAt(sampleBlocks, 5), last: refAt(sampleBlocks, 6) };
  const vote = reportedBy(['a.example']);
  const save = (finality: Finality, progress: DayProgress = read) =>
    saveCheckpoint(
      store(),
      { day: NEXT, sequence: 0 },
      { progress, final: finalSums(progress, { finality }) },
    );
  const end = { ...refAt(sampleBlocks, 4), finality: vote };

  test('with the parent of its first final block', async () => {
    await save(vote);
    expect(await knownEnd(DAY)).toEqual(end);
  });

  test('but not before one of its blocks is final', async () => {
    await save(vote, start);
    expect(await knownEnd(DAY)).toBeUndefined();
  });

  test.each([
    ['a vote counts on a chain that proves nothing', vote, undefined, true],
    ['a vote is not enough where the anchor is proven', vote, proof, false],
    ['a proof counts', proof, proof, true],
  ] as const)('%s', async (_, finality, anchorProof, isKnown) => {
    await save(finality);
    expect(await knownEnd(DAY, false, anchorProof)).toEqual(isKnown ? { ...end, finality } : undefined);
  });
});

describe('voteOnEnd', () => {
  const next = summedBlock(sampleBlocks, 5, 'a');

  test.each([
    ['two hosts settle an end as soon as it is read', 2, 'at once', {}, 'voted'],
    ['a host alone settles none', 1, 'after a wait', {}, 'to wait for'],
    ['nobody is asked while another day decides', 2, 'not yet', {}, 'to wait for'],
    [
      'under a proven anchor, the proof of the day after is waited for',
      2,
      'at once',
      { proof },
      'to wait for',
    ],
    ['but not for long', 2, 'after a wait', { proof }, 'voted'],
    ['unless no host is believed', 2, 'after a wait', { proof, isProofRequired: true }, 'to wait for'],
  ] as const)('%s', async (_, count, time, given, kind) => {
    const { proof: ofAnchor, isProofRequired = false }: { proof?: FinalityProof; isProofRequired?: boolean } =
      given;
    using hosts = serveAnswers(
      Array.from({ length: count }, () => answerFrom(sampleBlocks)),
      { isProofRequired },
    );
    const anchor = { ...summedBlock(sampleBlocks, 9, 'a'), hosts: [], proof: ofAnchor };
    expect((await voteOnEnd(dayRunOf(hosts, anchor, table()), next, time)).kind).toBe(kind);
  });
});
