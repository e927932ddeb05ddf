import { linkedBlocks, type Place } from '#core/ingest/blocks/block-stream.ts';
import { loadKeccak } from '#core/proof/encoding/keccak.ts';
import { REFUSALS, type RefusalRow } from '#core/rpc/refusals.ts';
import { virtualTime } from '#test/simulation/virtual-time.ts';
import { answerFrom, refAt, sampleChain } from '#test/support/generators/sample-chain.ts';
import { serveAnswers } from '#test/support/nodes/hosts.ts';
import type { NodeResponse } from '#test/support/nodes/json-rpc-server.ts';
import { limitedNode } from '#test/support/nodes/limited-node.ts';
import { answersOf } from '#test/support/nodes/refused-answers.ts';
import { requestContextWith } from '#test/support/nodes/source.ts';

/** Two days of 150 blocks. */
const LAST = 299;
const LIMIT = { calls: 20, everyMs: 1_000 };
/** As in a service on one machine. */
const NEXT_RUN_MS = 5_000;
const blocks = sampleChain(Array.from({ length: LAST + 1 }, (_, number) => number * 576));
const end = refAt(blocks, LAST);

/** Reads all blocks from a node that bears 20 calls a second, in as many runs as it takes. */
async function readFrom(refusal: NodeResponse) {
  await loadKeccak();
  const time = virtualTime(Date.parse('2026-11-20T00:00:00Z'));
  const { now, sleep } = time;
  const startedAt = now();
  const node = limitedNode(LIMIT, time, () => refusal, answerFrom(blocks));
  const context = requestContextWith({ clock: { now, sleep, jitter: (ms) => ms } });
  using hosts = serveAnswers([node.answer], { context });
  const source = { ...hosts, anchor: { ...end, parentHash: '', timestamp: 0, hosts: [] } };
  let place: Place = { notBefore: 0 };
  for (let runs = 1; ; runs++) {
    const stream = linkedBlocks(source, place, end);
    let next = await stream.next();
    for (; !next.done; next = await stream.next())
      place = { block: next.value, notBefore: next.value.timestamp };
    if (next.value.kind === 'end reached')
      return { runs, seconds: (now() - startedAt) / 1_000, refused: node.refused() };
    await sleep(NEXT_RUN_MS);
  }
}

const nameOf = ({ codes, says, status }: RefusalRow) =>
  [codes ?? status, says].flat().filter(Boolean).join(', ');
const withWords = (message: string): NodeResponse => ({ error: { code: -1, message } });

let usual: Awaited<ReturnType<typeof readFrom>> | undefined;

test.each([
  ...REFUSALS.filter(({ means }) => means === 'rate limit').map(
    (row) => [nameOf(row), answersOf(row)[0] as NodeResponse] as const,
  ),
  ['a time in words', withWords('rate limited, try again in 4ms')] as const,
  ['words of no row', withWords('no such luck')] as const,
])(
  'a node that refuses calls above its rate with %s is about as fast as with HTTP 429',
  async (_, refusal) => {
    usual ??= await readFrom({ status: 429, body: '' });
    const read = await readFrom(refusal);
    expect(read.runs).toBe(1);
    expect(read.seconds).toBeLessThanOrEqual(1.3 * usual.seconds);
    expect(read.refused).toBeLessThanOrEqual(2 * usual.refused);
  },
);
