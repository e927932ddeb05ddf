import { REFUSALS, type RefusalRow } from '#core/rpc/refusals.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import type { NodeResponse } from '#test/support/nodes/json-rpc-server.ts';
import { blocks, type Reading, readFromHosts } from '#test/support/nodes/limited-hosts.ts';
import { answersOf } from '#test/support/nodes/refused-answers.ts';

const readFrom = (refusal: NodeResponse) => readFromHosts([{ answer: answerFrom(blocks), refusal }]);

const nameOf = ({ codes, says, status }: RefusalRow) =>
  [codes ?? status, says].flat().filter(Boolean).join(', ');
const withWords = (message: string): NodeResponse => ({ error: { code: -1, message } });

let usual: Reading | undefined;

test.each([
  ...REFUSALS.filter(({ means }) => means === 'rate limit').map(
    (row) => [nameOf(row), answersOf(row)[0] as NodeResponse] as const,
  ),
  ['a time in words', withWords('rate limited, try again in 4ms')] as const,
])(
  'a node that refuses calls above its rate with %s is about as fast as with HTTP 429',
  async (_, refusal) => {
    usual ??= await readFrom({ status: 429, body: '' });
    const read = await readFrom(refusal);
    expect(read.runs).toBe(1);
    expect(read.seconds).toBeLessThanOrEqual(1.3 * usual.seconds);
    expect(read.refused[0]).toBeLessThanOrEqual(2 * (usual.refused[0] ?? 0));
  },
);

test.each([withWords('no such luck'), { status: 200, body: '<html>' }])(
  'words of no row mean that a node is down: they bring pauses, and never more calls (%j)',
  async (refusal) => {
    const read = await readFrom(refusal);
    expect(read.runs).toBeLessThanOrEqual(3);
    // A node that is called 400 times in 25 seconds would refuse thousands.
    expect(read.refused[0]).toBeLessThanOrEqual(120);
  },
);
