import { chainOf } from '#core/chains/chains.ts';
import { otherPrice } from '#core/days/stated-price.ts';
import { type DayProgress, startDayProgress } from '#core/figures/progress.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import { hex, type Json } from '#test/support/generators/blocks/seal.ts';
import { sealedChain } from '#test/support/generators/blocks/sealed-block.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { sourceOf } from '#test/support/nodes/source.ts';

const ETHEREUM = chainOf('ETHEREUM');
const TIME = 1_790_000_000;

/** Three blocks, the second with a blob at the price 1, of which the receipts state this. */
const blocksThatState = (receipt: Json) =>
  sealedChain(
    ETHEREUM,
    [0, 1, 2].map((number) => ({
      header: {
        timestamp: hex(TIME + 12 * number),
        baseFeePerGas: '0x7',
        withdrawalsRoot: hashOf('withdrawals'),
        blobGasUsed: '0x0',
        excessBlobGas: '0x0',
        parentBeaconBlockRoot: hashOf('root'),
        requestsHash: hashOf('requests'),
      },
      pairs:
        number === 1
          ? [
              {
                transaction: {
                  type: '0x3',
                  chainId: '0x1',
                  maxFeePerGas: '0x20',
                  maxPriorityFeePerGas: '0x2',
                  maxFeePerBlobGas: '0x100',
                  blobVersionedHashes: [hashOf('blob')],
                  accessList: [],
                  yParity: '0x0',
                },
                receipt: { effectiveGasPrice: '0x9', blobGasUsed: hex(131_072), ...receipt },
              },
            ]
          : [],
    })),
  );

const OURS = { blobGasPrice: '0x1' };
const OTHER = { blobGasPrice: '0x6c' };
const NOT_STATED = {};

/** Compares the price of block 1 with what nodes state, each of which has the same chain. */
async function compare(
  stated: readonly Json[],
  given: Pick<DayProgress, 'priceToCompare'> = { priceToCompare: 1 },
) {
  const nodes = await Promise.all(stated.map((one) => startJsonRpcServer(answerFrom(blocksThatState(one)))));
  const source = await sourceOf(ETHEREUM, nodes);
  const calls = () => nodes.flatMap((node) => node.calls).length;
  const before = calls();
  const change = await otherPrice(source, { ...startDayProgress('2026-09-21', undefined), ...given });
  for (const node of nodes) await node[Symbol.asyncDispose]();
  return { change, calls: calls() - before };
}

test.each([
  ['an endpoint states the same price', [OURS]],
  ['no endpoint states a price', [NOT_STATED, NOT_STATED]],
  ['one endpoint states another price, and one the same', [OTHER, OURS]],
])('publishes a day where %s', async (_, stated) => {
  expect(await compare(stated)).toMatchObject({ change: undefined });
});

test.each([
  ['the only endpoint states another price', [OTHER]],
  ['one endpoint states another price, and one no price', [NOT_STATED, OTHER]],
])('stops a day where %s', async (_, stated) => {
  expect((await compare(stated)).change).toMatchObject({
    kind: 'no endpoint',
    isRuleChange: true,
    reason: expect.stringContaining('receipts[0].blobGasPrice: 0x6c is not 1, which follows from the block'),
  });
});
