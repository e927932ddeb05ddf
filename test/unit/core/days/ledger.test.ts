import { createLedger } from '#core/days/ledger.ts';
import { reportedBy } from '#core/figures/block.ts';
import type { EvidencePolicy } from '#core/figures/day-figures.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { type Checkpoint, getCheckpoint } from '#core/store/days/checkpoints.ts';
import { refAt, summedBlock } from '#test/support/generators/chains/sample-chain.ts';
import { at, DAY, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { dayRunOf, serveAnswers } from '#test/support/nodes/hosts.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

/* Proves to which block a day returns after a contradiction, which sums may be shown to others, and what is saved of them. */

const { table, store } = useMemoryStore('ETHEREUM');
const vote = reportedBy(['a.example']);
const proof = { kind: 'sync committee', slot: 7, root: '0x12' } as const;
const unread: Checkpoint = { day: DAY, sequence: 0 };
const block = (number: number) => summedBlock(sampleBlocks, number, 'a.example');

function ledgerOf({ stored = unread, evidence = 'proven' as EvidencePolicy, before = 0 } = {}) {
  using hosts = serveAnswers([], { evidence });
  const run = dayRunOf(hosts, { ...block(9), hosts: [] }, table());
  const start = startDayProgress(DAY, before < 0 ? undefined : refAt(sampleBlocks, before));
  return createLedger(run, stored, stored.progress ?? start);
}
type Ledger = ReturnType<typeof ledgerOf>;

/** The numbers of the last counted, the last anchored and the last final block that are saved. */
async function saved(ledger: Ledger) {
  await ledger.save();
  const { progress, anchored, final } = await getCheckpoint(store(), DAY);
  return [progress, anchored, final?.progress].map((sums) => sums?.last?.number);
}
const count = (ledger: Ledger, ...numbers: readonly number[]) => {
  for (const number of numbers) ledger.count(block(number));
};

describe('anchor', () => {
  test('is of the last counted block, until another is counted', () => {
    const ledger = ledgerOf();
    expect(ledger.isAnchored()).toBe(false);
    count(ledger, 1);
    ledger.anchor();
    expect(ledger.isAnchored()).toBe(true);
    count(ledger, 2);
    expect(ledger.isAnchored()).toBe(false);
  });

  test.each([
    ['a vote by a later vote', vote, vote, 2],
    ['a vote by a later proof', vote, proof, 2],
    ['a proof by a later proof', proof, proof, 2],
    ['no proof by a later vote, whose block may still be discarded', proof, vote, 1],
    ['nothing by an anchor without a reason', vote, undefined, 1],
  ] as const)('replaces %s', async (_, first, second, final) => {
    const ledger = ledgerOf();
    count(ledger, 1);
    ledger.anchor(first);
    count(ledger, 2);
    ledger.anchor(second);
    expect(await saved(ledger)).toEqual([2, 2, final]);
  });
});

describe('final sums', () => {
  const evidenceOf = (given: Parameters<typeof ledgerOf>[0], first = block(1)) => {
    const ledger = ledgerOf(given);
    ledger.count(first);
    ledger.anchor(vote);
    return ledger.save().then(async () => (await getCheckpoint(store(), DAY)).final);
  };
  const genesis = { ...block(0), timestamp: at(0, 0) };

  test.each([
    ['proven if hashes prove each block and the one before', {}, block(1), 'proven'],
    ['checked if a block is not proven', {}, { ...block(1), isProven: false }, 'checked'],
    [
      'checked if no hash fixes the time of the block before',
      { evidence: 'checked from 0' },
      block(1),
      'checked',
    ],
    [
      'proven if it is before those that are only checked',
      { evidence: 'checked from 1' },
      block(1),
      'proven',
    ],
    ['proven if there is none before genesis', { evidence: 'checked from 0', before: -1 }, genesis, 'proven'],
  ] as const)('are %s', async (_, given, first, evidence) => {
    expect(await evidenceOf(given, first)).toMatchObject({ evidence, headTime: block(9).timestamp });
  });
});

describe('retreat', () => {
  test('returns to the last anchored block', async () => {
    const ledger = ledgerOf();
    count(ledger, 1);
    ledger.anchor();
    count(ledger, 2, 3);
    ledger.retreat();
    expect(await saved(ledger)).toEqual([1, 1, undefined]);
  });

  test('returns to the final block if the anchored one is wrong itself, and starts over if both are', async () => {
    const ledger = ledgerOf();
    count(ledger, 1);
    ledger.anchor(proof);
    count(ledger, 2);
    ledger.anchor();
    ledger.retreat();
    expect(await saved(ledger)).toEqual([1, 1, 1]);
    ledger.retreat();
    expect(await saved(ledger)).toEqual([undefined, undefined, undefined]);
    expect(ledger.progress()).toMatchObject({ day: DAY, totals: { blocks: 0 }, last: { number: 0 } });
  });

  test('keeps final sums before the block that is wrong', async () => {
    const ledger = ledgerOf();
    count(ledger, 1);
    ledger.anchor(proof);
    count(ledger, 2);
    ledger.retreat();
    expect(await saved(ledger)).toEqual([1, 1, 1]);
  });
});

describe('save', () => {
  test('writes only what has changed since', async () => {
    const ledger = ledgerOf();
    const sequences: number[] = [];
    const save = async () => {
      expect(await ledger.save()).toBe(true);
      sequences.push((await getCheckpoint(store(), DAY)).sequence);
    };
    count(ledger, 1);
    for (const change of [() => {}, () => {}, () => ledger.anchor(), () => ledger.anchor(vote), () => {}]) {
      change();
      await save();
    }
    expect(sequences).toEqual([1, 1, 2, 3, 3]);
    expect(ledger.checkpoint()).toMatchObject({ sequence: 3, progress: { last: { number: 1 } } });
  });

  test('refuses when another run has saved the same day since', async () => {
    const [ledger, other] = [ledgerOf(), ledgerOf()];
    count(other, 1);
    await other.save();
    count(ledger, 1, 2);
    expect(await ledger.save()).toBe(false);
    expect(await getCheckpoint(store(), DAY)).toMatchObject({
      sequence: 1,
      progress: { last: { number: 1 } },
    });
  });

  test('continues from what is stored', async () => {
    const ledger = ledgerOf();
    count(ledger, 1);
    ledger.anchor(proof);
    count(ledger, 2);
    await ledger.save();
    const later = ledgerOf({ stored: await getCheckpoint(store(), DAY) });
    expect([later.isAnchored(), later.progress().last?.number]).toEqual([false, 2]);
    later.retreat();
    expect(await saved(later)).toEqual([1, 1, 1]);
  });
});
