import { chainOf } from '../../../lambda/chains/chains.ts';
import { confirmedBlocks } from '../../../lambda/ingest/confirmed-blocks.ts';
import { readFinalizedHeader } from '../../../lambda/ingest/read-block.ts';
import { endpointOf } from '../../../lambda/rpc/endpoint.ts';
import { hashOf } from '../../support/builders.ts';
import { type Answer, type Call, startJsonRpcServer } from '../../support/json-rpc-server.ts';
import { answerFrom, type RawBlock, sampleChain } from '../../support/sample-chain.ts';

const ethereum = chainOf('ETHEREUM');
const blocks = sampleChain(Array.from({ length: 30 }, (_, index) => index * 10));

/** The numbers of the blocks that come, and the reason why no more do. */
async function readFrom(answer: (call: Call) => Answer | Promise<Answer>, first = 0) {
  await using node = await startJsonRpcServer(answer);
  const endpoints = [endpointOf(ethereum, node.url)];
  const numbers: number[] = [];
  try {
    const head = await readFinalizedHeader(ethereum, endpoints);
    for await (const { number } of confirmedBlocks(ethereum, endpoints, first, head)) numbers.push(number);
    return { numbers };
  } catch (error) {
    return { numbers, reason: (error as Error).message };
  }
}

const upTo = (last: number) => Array.from({ length: last + 1 }, (_, number) => number);

/** A node that answers for one block with something else, but has the right finalized head. */
const withBlock = (number: number, change: (block: RawBlock) => object) => {
  const well = answerFrom(blocks);
  const changed = blocks.map((block, index) =>
    index === number ? { ...block, header: { ...block.header, ...change(block) } } : block,
  );
  const badly = answerFrom(changed);
  return (call: Call) => (call.params[0] === 'finalized' ? well(call) : badly(call));
};

test('all blocks come in order, up to the finalized head, however late each is answered', async () => {
  const answer = answerFrom(blocks);
  const lateOnes = async (call: Call) => {
    await new Promise((resolve) => setTimeout(resolve, call.params[0] === '0x2' ? 50 : 0));
    return answer(call);
  };
  expect(await readFrom(lateOnes)).toEqual({ numbers: upTo(29) });
});

test('nothing comes when all blocks are read already', async () => {
  expect(await readFrom(answerFrom(blocks), 30)).toEqual({ numbers: [] });
});

test('an orphan, whose child names another parent, does not come', async () => {
  const orphan = hashOf('orphan');
  const receipts = blocks[9]?.receipts.map((receipt) => ({ ...receipt, blockHash: orphan }));
  const header = withBlock(9, () => ({ hash: orphan }));
  const answer = (call: Call): Answer =>
    call.method === 'eth_getBlockReceipts' && call.params[0] === '0x9' ? { result: receipts } : header(call);
  const { numbers, reason } = await readFrom(answer);
  expect(numbers).toEqual(upTo(8));
  expect(reason).toBe(
    `ETHEREUM block 10: its parent is ${hashOf('sample 9')}, but block 9 was read as ${orphan}`,
  );
});

test('a block that is given a time after that of its child does not come', async () => {
  const { numbers, reason } = await readFrom(withBlock(7, () => ({ timestamp: '0xffff' })));
  expect(numbers).toEqual(upTo(6));
  expect(reason).toContain('ETHEREUM block 8: its timestamp 80 is before 65535');
});

test.each([
  ['another hash', { hash: hashOf('other') }],
  ['another time', { timestamp: '0xffff' }],
])('the last block does not come when it was finalized with %s', async (_, finalized) => {
  const answer = answerFrom(blocks);
  const { numbers, reason } = await readFrom((call) =>
    call.params[0] === 'finalized' ? { result: { ...blocks[29]?.header, ...finalized } } : answer(call),
  );
  expect(numbers).toEqual(upTo(28));
  expect(reason).toMatch(/^ETHEREUM block 29: read as 0x\w+ at 290, but finalized as 0x\w+ at \d+$/);
});
