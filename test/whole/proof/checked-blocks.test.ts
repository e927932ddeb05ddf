import { readdirSync } from 'node:fs';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { unprovenOf } from '#core/chains/provable.ts';
import { totalFees } from '#core/figures/fee-parts.ts';
import { checkBlock } from '#core/proof/check-block.ts';
import {
  decodeBlock,
  decodeCheckedBlock,
  decodeCheckedReceipts,
  decodeReceipts,
} from '#core/proof/json/decode-block.ts';
import { proveBlock } from '#core/proof/prove-block.ts';
import type { Proof } from '#core/proof/proven-block.ts';
import { completeBlocks, readFullBlock } from '#test/support/generators/blocks/full-blocks.ts';
import {
  type RecordedBlock,
  readBlockFile,
  readBlocks,
  readOtherJson,
} from '#test/support/generators/chains/real-nodes.ts';

/*
 * The checks that replace a proof must accept what real nodes answer, and take the same figures from it as the proof: those of BSC's system
 * transactions, blobs, operator fees, redeems and state-syncs among them.
 */

type Json = NonNullable<RecordedBlock['json']>;

const totalsOf = (proof: Proof) => {
  if ('refused' in proof) throw new Error(`${proof.refused.field}: ${proof.refused.message}`);
  return proof.sums.totals;
};

/** Decodes copies, because the decoders write into what they get. */
function checked(name: ChainName, json: Json, isStated?: boolean): Proof {
  const { block, receipts } = structuredClone(json);
  return checkBlock(chainOf(name), decodeCheckedBlock(block), decodeCheckedReceipts(receipts), isStated);
}

/** Without a base fee in the header, checks cannot tell tips, because chains have it from different blocks on. */
function expectSame(name: ChainName, json: Json): void {
  const { block, receipts } = structuredClone(json);
  const proven = totalsOf(proveBlock(chainOf(name), decodeBlock(block), decodeReceipts(receipts)));
  const priorityFees =
    block.baseFeePerGas === undefined ? {} : { priorityFees: proven.measures.priorityFees };
  const { measures, ...rest } = totalsOf(checked(name, json));
  expect(rest).toEqual(expect.objectContaining({ fees: proven.fees, transactions: proven.transactions }));
  expect(rest.protocolTransactions).toBe(proven.protocolTransactions);
  expect(measures).toMatchObject({
    ...proven.measures,
    priorityFees: measures.priorityFees,
    ...priorityFees,
  });
}

/** Returns the files of recorded blocks in a folder, each with one. */
const blocksIn = (folder: string): readonly RecordedBlock[] =>
  readdirSync(`test/fixtures/real-nodes/${folder}`)
    .map((file) => /^block-(\d+)\.json\.gz$/.exec(file)?.[1])
    .filter((number) => number !== undefined)
    .map((number) => readBlockFile(folder, Number(number)));

test.each<[ChainName, string, () => readonly RecordedBlock[]]>([
  ['BSC', 'bsc', () => blocksIn('bsc')],
  ['POLYGON', 'bor', () => blocksIn('polygon')],
  ['ETHEREUM', 'geth since Amsterdam', () => blocksIn('amsterdam')],
  ['BASE', 'op-geth, Bedrock to Jovian', () => readBlocks('op-stack/base.json.gz')],
  ['OPTIMISM', 'op-geth, Karst', () => readBlocks('op-stack/optimism-karst.json.gz')],
  ['UNICHAIN', 'op-geth', () => readBlocks('op-stack/unichain-start.json.gz')],
  ['ARBITRUM_NOVA', 'Nitro', () => readBlocks('arbitrum/nova-arbos10-51.json.gz')],
])('blocks of %s by %s have the same figures checked as proven', (name, _, read) => {
  const blocks = read().flatMap(({ json }) => (json ? [json] : []));
  expect(blocks.length).toBeGreaterThan(3);
  for (const json of blocks) expectSame(name, json);
});

/** Its source gave the L1 fees of no receipt. */
const WITHOUT_L1_FEES = 'op-stack/BASE-1962303.json.gz';

test.each(completeBlocks.filter(([name]) => name !== WITHOUT_L1_FEES))(
  '%s has the same figures checked as proven',
  (file, folder) => {
    const { chain, block, receipts } = readFullBlock(folder, file);
    if (unprovenOf(chainOf(chain).rules, Number(block.number))) return;
    expectSame(chain, { block, receipts: receipts as Json['receipts'] });
  },
);

test('where an operator accepts an unknown rule, blocks of Nitro that collect tips have the fees that receipts state', () => {
  const tipping = readBlocks('arbitrum/nova-arbos60-multigas-tips.json.gz').filter(
    ({ number }) => number >= 64 && number !== 67,
  );
  expect(tipping).toHaveLength(5);
  for (const { json } of tipping) {
    if (!json) throw new Error('a block has no JSON');
    expect(checked('ARBITRUM_NOVA', json)).toMatchObject({ refused: { isRuleChange: true } });
    const stated = json.receipts.reduce(
      (sum, { gasUsed, effectiveGasPrice }) => sum + BigInt(`${gasUsed}`) * BigInt(`${effectiveGasPrice}`),
      0n,
    );
    expect(totalFees(totalsOf(checked('ARBITRUM_NOVA', json, true)).fees)).toBe(stated);
  }
});

test('the totals of hardhat and ethrex since Amsterdam are those of their checked blocks', () => {
  for (const file of ['ethrex-24.0.0-block-25', 'ethrex-24.0.0-block-28', 'hardhat-edr-0.22.0-block-4'])
    expectSame('ETHEREUM', readOtherJson<Json>(`amsterdam/${file}.json.gz`));
});
