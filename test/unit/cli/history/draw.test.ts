import { describeDraw, describeOthers, drawingBlock, MINUTES_AFTER_RECORD } from '#cli/history/draw.ts';
import type { ArchiveFile } from '#core/store/days/archives.ts';
import { answerFrom, blockAt, reseal } from '#test/support/generators/chains/sample-chain.ts';
import { at, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { serveAnswers } from '#test/support/nodes/hosts.ts';
import type { NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';

const node = answerFrom(sampleBlocks);
/** From block 6 on, another chain. */
const liar = answerFrom(
  reseal(sampleBlocks, 6, (block) => ({ ...block, header: { ...block.header, extraData: '0x01' } })),
);

/** Draws for a record some seconds before the least time that its block may have. */
async function draw(seconds: number, answers: readonly NodeAnswer[] = [node, node], final = 9) {
  using hosts = serveAnswers(answers);
  const { hash, parentHash, timestamp } = blockAt(sampleBlocks, final).header;
  const anchor = { number: final, hash, parentHash, timestamp: Number(timestamp), hosts: [] };
  const recordedAt = new Date((seconds - MINUTES_AFTER_RECORD * 60) * 1_000).toISOString();
  return (await drawingBlock({ ...hosts, anchor }, recordedAt))?.number;
}

test.each([
  ['the first of two in the same second', at(0, 11), 2],
  ['not a block of exactly that time', at(0, 12), 4],
  ['the next one, however much later', at(1, 5), 6],
  ['the anchor itself', at(3, 11), 9],
])('the block that draws is %s', async (_, seconds, number) => {
  expect(await draw(seconds)).toBe(number);
});

test('an anchor that is too old draws nothing, as when a host calls an old block final', async () => {
  expect(await draw(at(3, 12))).toBeUndefined();
  expect(await draw(at(1, 5), [node, node], 5)).toBeUndefined();
});

test('one of two hosts cannot choose the block, and of three the two that agree do', async () => {
  await expect(draw(at(1, 5), [liar, node])).rejects.toThrow(
    /no block to draw from after 2026-11-19T00:00:05.000Z: .*The record is saved/s,
  );
  expect(await draw(at(1, 5), [liar, node, node])).toBe(6);
});

const drawn = {
  seed: 'a',
  block_number: 1_234,
  block_hash: '0xabc',
  drawn_at: '2026-11-20T00:30:00.000Z',
  ranges: 300,
  days: 0,
};

test('a draw is described so that anyone can repeat it, or doubt it', () => {
  expect(describeDraw({ ...drawn, recorded_at: '2026-11-20T00:00:00.000Z' })).toBe(
    'Drawn by block 1,234 (0xabc), the first with a time more than 15 minutes after the file was recorded at 2026-11-20T00:00:00.000Z.',
  );
  expect(describeDraw(drawn)).toBe(
    'Drawn by block 1,234 (0xabc), without a record before: it could be chosen.',
  );
  expect(describeDraw({ ...drawn, is_made_up: true })).toContain('of a development chain');
});

test('counts all other files that were recorded and did not pass', () => {
  const file = (sha256: string, given: Partial<ArchiveFile> = {}): ArchiveFile => {
    return { sequence: 1, sha256, name: 'dune', draws: [], equal: [], ...given };
  };
  const passed = file('passed', { report: 'Audit' });
  expect(describeOthers('BASE', [file('own'), passed], 'own')).toBe('');
  const others = [
    file('own'),
    passed,
    file('recorded'),
    file('void', { report: 'Audit', void_since: 'now' }),
  ];
  expect(describeOthers('BASE', others, 'own')).toBe(
    ' 2 other files of BASE failed here, or were recorded and not audited: each weakens the confidence.',
  );
});
