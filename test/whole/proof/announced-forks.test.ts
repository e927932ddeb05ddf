import type { Chain } from '#core/chains/chains.ts';
import { decodeBlock, decodeReceipts } from '#core/proof/json/decode-block.ts';
import { proveBlock } from '#core/proof/prove-block.ts';
import { proveRawBlock } from '#core/proof/raw/prove-raw-block.ts';
import { withVotes } from '#test/support/finality/voted-blocks.ts';
import { hex, sealBlock } from '#test/support/generators/blocks/seal.ts';
import { freezerOf, sumFreezer } from '#test/support/generators/files/freezer-scene.ts';
import { storedBytes } from '#test/support/generators/files/stored-bytes.ts';
import { randomFrom } from '#test/support/generators/random/random.ts';
import type { RandomBlock } from '#test/support/generators/random/random-block.ts';
import { type Family, randomChain } from '#test/support/generators/random/random-chain.ts';

/* Blocks of forks that are announced, made by their specifications, because nobody has seen a real one. */

const SPAN = { firstDay: '2026-12-07', days: 4, keepsRules: true };
const USER_TYPES = new Set(['0x0', '0x1', '0x2', '0x4']);

const proofOf = (chain: Chain, { header, transactions, receipts }: RandomBlock) =>
  proveBlock(
    chain,
    decodeBlock(structuredClone({ ...header, transactions })),
    decodeReceipts(structuredClone(receipts)),
  );
const sumsOf = (chain: Chain, block: RandomBlock) => {
  const proof = proofOf(chain, block);
  return 'refused' in proof ? proof.refused : proof.sums;
};

describe('Jenner of BSC, with the payment lane in sha3Uncles (BEP-703) and data in parentBeaconBlockRoot (BEP-696)', () => {
  /** Quota and used gas of the lane, and 16 zero bytes. */
  const lane = (quota: number, used: number) =>
    `0x${[quota, used].map((gas) => gas.toString(16).padStart(16, '0')).join('')}${'0'.repeat(32)}`;
  const jenner = async (fork: number) => {
    const { chain, blocks, expected } = await randomChain('bsc', randomFrom(3), SPAN);
    const forked = blocks.map((block, number): RandomBlock => {
      if (number < fork) return block;
      const sha3Uncles = number === fork ? lane(0, 0) : lane(7_000_000, 21_000 * number);
      const parentBeaconBlockRoot = `0x${(number % 256).toString(16).padStart(2, '0').repeat(32)}`;
      return { ...block, header: { ...block.header, sha3Uncles, parentBeaconBlockRoot } };
    });
    return { chain, blocks: await withVotes(chain, forked), expected };
  };

  test('is proven as JSON, as RLP and from a freezer, with votes in its extra data and the same figures', async () => {
    const { chain, blocks, expected } = await jenner(6);
    for (const block of blocks.slice(1)) {
      const raw = proveRawBlock(chain, storedBytes(chain, block));
      expect('refused' in raw ? raw.refused : raw.sums).toEqual(sumsOf(chain, block));
    }
    const [sums] = await sumFreezer(freezerOf(chain, blocks), chain);
    expect(sums?.problem).toBeUndefined();
    const exact = sums?.days.filter(({ day, totals }) => expected.get(day)?.blocks === totals.blocks) ?? [];
    expect(exact.length).toBeGreaterThan(2);
    for (const { day, totals } of exact) expect(expected.get(day)).toMatchObject(totals);
  });

  test('is refused if its lane was changed after it was sealed', async () => {
    const { chain, blocks } = await jenner(2);
    const [, , , block] = blocks as [RandomBlock, RandomBlock, RandomBlock, RandomBlock];
    const forged = { ...block, header: { ...block.header, sha3Uncles: lane(7_000_000, 1) } };
    expect(sumsOf(chain, forged)).toMatchObject({ field: 'hash' });
  });
});

test('Lagoon of the OP stack: the last transaction pays nothing, and what a refund leaves is paid, also with opGasRefund', async () => {
  const { chain, blocks, expected } = await randomChain('op-stack', randomFrom(1), {
    ...SPAN,
    firstDay: '2027-01-10',
  });
  let compared = 0;
  for (const block of blocks) {
    const { transactions, receipts } = block;
    const last = transactions.length;
    if (!transactions.some(({ type }) => USER_TYPES.has(String(type)))) continue;
    const paid = sumsOf(chain, block);
    const refunded = receipts.map((receipt) => ({ ...receipt, opGasRefund: '0x1388' }));
    const extra = {
      type: '0x7d',
      from: `0x${'0'.repeat(40)}`,
      to: `0x${'0'.repeat(40)}`,
      input: `0x01${last.toString(16).padStart(64, '0')}`,
      gas: '0x0',
      gasPrice: '0x0',
      value: '0x0',
      nonce: '0x0',
    };
    const receipt = { type: '0x7d', status: '0x1', gasUsed: '0x0', effectiveGasPrice: '0x0', logs: [] };
    const sealed = sealBlock(chain, {
      header: block.header,
      transactions: [...transactions, extra],
      receipts: [...refunded, receipt],
    });
    const sums = sumsOf(chain, sealed);
    expect(sums).toMatchObject({ totals: { fees: (paid as { totals: { fees: object } }).totals.fees } });
    expect((sums as { totals: { transactions: number } }).totals.transactions).toBe(last + 1);
    compared++;
  }
  expect(compared).toBeGreaterThan(2);
  expect(expected.size).toBeGreaterThan(0);
});

test.each<Family>(['bsc', 'polygon', 'op-stack', 'arbitrum'])(
  'a header of %s with a field of Amsterdam changes a rule, and does not leave out the check of gas',
  async (family) => {
    const { chain, blocks } = await randomChain(family, randomFrom(5), SPAN);
    const block = blocks.at(-1) as RandomBlock;
    const fields = {
      baseFeePerGas: '0x7',
      withdrawalsRoot: `0x${'01'.repeat(32)}`,
      blobGasUsed: '0x0',
      excessBlobGas: '0x0',
      parentBeaconBlockRoot: `0x${'02'.repeat(32)}`,
      requestsHash: `0x${'03'.repeat(32)}`,
      ...block.header,
      blockAccessListHash: `0x${'04'.repeat(32)}`,
      gasUsed: hex(99),
    };
    const sealed = sealBlock(chain, { ...block, header: fields });
    expect(sumsOf(chain, sealed)).toMatchObject({ field: 'blockAccessListHash', isRuleChange: true });
  },
);
