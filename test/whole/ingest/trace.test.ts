import { chainOf } from '#core/chains/chains.ts';
import type { TraceLine } from '#core/rpc/trace.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { DAY, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { type NodeAnswer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { runIngest } from '#test/support/processes/run-ingest.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

/* A trace says which host was asked what, and which items a commit changed, and never a secret. */

const { table } = useMemoryStore('ETHEREUM');
const chain = chainOf('ETHEREUM');
const SECRETS = ['user-name', 'pass-word', 'key-in-path', 'key-in-query'];

/** Runs the ingest with a node whose URL has secrets, and which repeats them in what it refuses. */
async function traceOfRun(answer: NodeAnswer): Promise<TraceLine[]> {
  await using node = await startJsonRpcServer(answer);
  const url = node.url.replace('://', '://user-name:pass-word@');
  const lines: TraceLine[] = [];
  const nodes = [{ url: `${url}/key-in-path?apikey=key-in-query` }];
  await runIngest(table(), nodes, { chain, quorum: 1, trace: (line) => lines.push(line) });
  return lines;
}

test('has each request with its host, method, block, time and outcome, and each commit with its items', async () => {
  const lines = await traceOfRun(answerFrom(sampleBlocks));
  expect(lines).toContainEqual({
    host: expect.stringMatching(/^127[.\d]+:\d+$/),
    request: 'eth_getBlockByNumber 2 true',
    ms: expect.any(Number),
    outcome: 'ok',
  });
  const commits = lines.flatMap((line) => ('commit' in line ? [line] : []));
  const published = commits.find(({ commit }) => commit.startsWith(`put ${DAY}, `));
  expect(published).toMatchObject({ chain: 'ETHEREUM', outcome: 'done' });
  expect(published?.commit).toMatch(/delete progress#.* put coverage$/);
});

test('has no secret of a URL, whatever the node answers', async () => {
  const refusal = (text: string) => ({ error: { code: -32_000, message: `not for ${text}` } });
  const lines = await traceOfRun((call) =>
    call.method === 'eth_chainId' ? { result: '0x1' } : refusal(SECRETS.join(' ')),
  );
  expect(lines.some((line) => 'host' in line && line.outcome !== 'ok')).toBe(true);
  for (const secret of SECRETS) expect(JSON.stringify(lines)).not.toContain(secret);
});
