import { validateBlock } from '#core/blocks/validate-block.ts';
import { chainOf } from '#core/chains/chains.ts';
import { addressOf } from '#test/support/generators/blocks/builders.ts';
import { completeBlocks, readFullBlock } from '#test/support/generators/blocks/full-blocks.ts';
import { hex, type Json } from '#test/support/generators/blocks/seal.ts';
import { sealedChain } from '#test/support/generators/blocks/sealed-block.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { days, ingestFrom, publishedIn, times } from '#test/support/nodes/attacked-chain.ts';
import type { NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';

/* Clients whose answers differ from those of geth, though every hash holds. */

const table = useMemoryTable();

const polygon = chainOf('POLYGON');
/** The hash covers no address at first, and then the account that collects tips. */
const minerOf = (number: number) =>
  number < 6 ? `0x${'0'.repeat(40)}` : '0x7Ee41D8A25641000661B1EF5E6AE8A00400466B0';
const sealed = sealedChain(
  polygon,
  times.map((time, number) => ({ header: { timestamp: hex(time), miner: minerOf(number) }, pairs: [{}] })),
);
const bor = answerFrom(sealed, { chainId: polygon.id });
const erigon: NodeAnswer = (call) => {
  const answer = bor(call);
  const isBlock = call.method === 'eth_getBlockByNumber' && 'result' in answer && answer.result !== null;
  return isBlock ? { result: { ...(answer.result as Json), miner: addressOf('validator') } } : answer;
};

test.each<[string, NodeAnswer[]]>([
  ['two hosts with Erigon', [erigon, erigon]],
  ['one with Erigon before one with bor', [erigon, bor]],
  ['one with bor before one with Erigon', [bor, erigon]],
])("Polygon's days come in from %s, without a fault", async (_, nodes) => {
  const report = await ingestFrom(table(), nodes, { chain: polygon });
  expect(report).toMatchObject({ outcome: 'up to date', days: days.toReversed(), faults: {} });
  expect((await publishedIn(table(), 'POLYGON')).map(([day]) => day)).toEqual(days);
});

const respellTransaction = ({ input, to, isSystemTx, ...rest }: Json): Json => ({
  ...rest,
  data: input,
  to: to ?? '',
  ...(isSystemTx !== undefined && { isSystemTx: isSystemTx ? '0x1' : '0x0' }),
});

const respellReceipt = ({ logs, status, to, blobGasPrice, ...rest }: Json): Json => ({
  ...rest,
  logs: Array.isArray(logs) && logs.length > 0 ? logs : null,
  logsBloom: '0x',
  to: to ?? '',
  status: status === undefined || status === null ? status : Number(status) === 1,
  ...(blobGasPrice !== undefined && { blobGasPrice: String(blobGasPrice).slice(2) }),
});

test.each(completeBlocks)('%s has the same figures in the spelling of other clients', (name, folder) => {
  const { chain, number, block, receipts } = readFullBlock(folder, name);
  const transactions = (block.transactions as Json[]).map(respellTransaction);
  const respelled = (receipts as Json[]).map(respellReceipt);
  const rules = { chain: chainOf(chain), evidence: 'proven' } as const;
  const figures = (attempt: ReturnType<typeof validateBlock>) => {
    if ('refused' in attempt) throw new Error(attempt.refused);
    const { hash, isProven, totals, feeBuckets } = attempt.value;
    return { hash, isProven, totals, feeBuckets };
  };
  const read = figures(validateBlock(rules, number, { ...block, transactions }, respelled));
  expect(read).toEqual(figures(validateBlock(rules, number, block, receipts)));
});
