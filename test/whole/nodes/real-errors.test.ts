import { readBlockFrom } from '#core/blocks/nodes/read-block.ts';
import { readRaw } from '#core/blocks/nodes/read-raw-block.ts';
import { chainOf } from '#core/chains/chains.ts';
import { EndpointError, endpointOf } from '#core/rpc/endpoint.ts';
import type { Rpc } from '#core/rpc/json-rpc.ts';
import { getBlockHeader, getReceipts, getStorageProof } from '#core/rpc/methods.ts';
import { readOtherJson, readText } from '#test/support/generators/chains/real-nodes.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { rpcTo } from '#test/support/nodes/source.ts';

/* The answers of geth 1.17.10 to a request for something that it does not have, or that it does not accept. */

interface RecordedError {
  readonly name: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}
const errors = readOtherJson<readonly RecordedError[]>('ethereum/errors.json');

const ETHEREUM = chainOf('ETHEREUM');
const RULES = { chain: ETHEREUM, evidence: 'proven' } as const;
const NUMBER = 0xffffff;

/** Calls a node that always gives a recorded answer. */
async function outcomeOf(name: string, run: (rpc: Rpc) => Promise<unknown>): Promise<unknown> {
  const error = errors.find((one) => one.name === name);
  if (!error) throw new Error(`no answer of this name was recorded: ${name}`);
  await using node = await startJsonRpcServer(({ id }) => ({
    status: error.status,
    headers: { 'content-type': error.contentType },
    body: error.body.replace('"id":1', `"id":${id}`),
  }));
  try {
    return await run(rpcTo(endpointOf(ETHEREUM, node.url)));
  } catch (thrown) {
    if (thrown instanceof EndpointError) return thrown.kind;
    throw thrown;
  }
}

const readJson = (rpc: Rpc) => readBlockFrom(RULES, NUMBER, rpc, 'geth');
const readRlp = (rpc: Rpc) => readRaw(RULES, NUMBER, rpc);
const proof = (rpc: Rpc) => getStorageProof(rpc, `0x${'5f'.repeat(20)}`, 2n, NUMBER);

test.each<[string, unknown, (rpc: Rpc) => Promise<unknown>]>([
  ['block in the future', 'unavailable', readJson],
  ['receipts of a block in the future', 'unavailable', (rpc) => getReceipts(rpc, NUMBER)],
  ['raw block in the future', 'unavailable', readRlp],
  ['raw receipts in the future', 'unavailable', readRlp],
  ['receipts of genesis', [], (rpc) => getReceipts(rpc, 0)],
  ['raw receipts of genesis', undefined, readRlp],
  ['unknown method', 'no method', readJson],
  ['wrong content type', 'down', readJson],
  ['no JSON', 'down', readJson],
  ['6 MB', 'too large', readJson],
  ['proof in the future', 'unavailable', proof],
])("geth's answer of the name '%s' counts as %j", async (name, expected, run) => {
  expect(await outcomeOf(name, run)).toEqual(expected);
});

test('geth without old blocks refuses each call for one with the same error', async () => {
  const lines = readText('ethereum/pruned-node-answers.txt').split('\n');
  const answers = lines.flatMap((line) => /^\w+ \["0x32".*?=> (\{.*\})$/.exec(line)?.[1] ?? []);
  expect(answers).toHaveLength(5);
  for (const body of answers) {
    await using node = await startJsonRpcServer(({ id }) => ({
      status: 200,
      body: body.replace('"id":1', `"id":${id}`),
    }));
    const rpc = rpcTo(endpointOf(ETHEREUM, node.url));
    await expect(getBlockHeader(rpc, 50)).rejects.toMatchObject({
      kind: 'pruned',
      message: expect.stringContaining('pruned history unavailable'),
    });
    await expect(readRaw(RULES, 50, rpc)).rejects.toMatchObject({ kind: 'pruned' });
  }
});
