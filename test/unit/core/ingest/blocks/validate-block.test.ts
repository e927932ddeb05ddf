import { type Chain, chainOf } from '#core/chains/chains.ts';
import type { EvidencePolicy } from '#core/figures/day-figures.ts';
import { validateBlock } from '#core/ingest/blocks/validate-block.ts';
import { hashOf } from '#test/support/generators/builders.ts';
import { blockResponse, type Json, type RawBlock, withHeader } from '#test/support/generators/seal.ts';
import { sealedBlock } from '#test/support/generators/sealed-block.ts';

const ethereum = chainOf('ETHEREUM');
const arbitrum = chainOf('ARBITRUM');

/** Validates a block as a node returns it. The decoders write into what they get. */
function validate(
  chain: Chain,
  block: RawBlock,
  { evidence = 'proven' as EvidencePolicy, number = Number(block.header.number) } = {},
) {
  const receipts = structuredClone(block.receipts);
  return validateBlock({ chain, evidence }, number, structuredClone(blockResponse(block, true)), receipts);
}

const CHECKED = { evidence: 'checked' } as const;
const isProven = (value: boolean) => ({ value: expect.objectContaining({ isProven: value }) });

const withReceipt = (block: RawBlock, change: Json): RawBlock => ({
  ...block,
  receipts: block.receipts.map((receipt, index) => (index === 0 ? { ...receipt, ...change } : receipt)),
});

const block = sealedBlock(ethereum, [{}, { transaction: { gasPrice: '0x9' } }], { number: '0x5' });

test('proves and sums a block', () => {
  expect(validate(ethereum, block)).toEqual({
    value: {
      number: 5,
      hash: block.header.hash,
      parentHash: block.header.parentHash,
      timestamp: 0,
      isProven: true,
      totals: {
        blocks: 1,
        transactions: 2,
        protocolTransactions: 0,
        fees: expect.objectContaining({ execution: 21_000n * (7n + 9n) }),
      },
    },
  });
});

test('refuses a block that is not proven, and names the field', () => {
  expect(validate(ethereum, withReceipt(block, { effectiveGasPrice: '0x8' }))).toEqual({
    refused: 'ETHEREUM block 5: receipts[0].effectiveGasPrice: 0x8 is not 7, which follows from the block',
    fault: 'not proven',
  });
});

test('refuses a proven block with another number', () => {
  expect(validate(ethereum, block, { number: 6 })).toEqual({
    refused: 'ETHEREUM block 6: the node answered with block 5',
  });
});

describe('with the policy checked', () => {
  test('a block that can be proven is', () => {
    expect(validate(ethereum, block, CHECKED)).toEqual(isProven(true));
  });

  test('a block without a hashed field is checked', () => {
    const lacking = withHeader(block, { mixHash: undefined });
    expect(validate(ethereum, lacking, CHECKED)).toEqual(isProven(false));
    expect(validate(ethereum, lacking)).toMatchObject({ refused: expect.stringContaining('mixHash') });
  });

  test('a block that contradicts itself is refused', () => {
    expect(validate(ethereum, withReceipt(block, { gasUsed: '0x1' }), CHECKED)).toMatchObject({
      refused: expect.stringContaining('receipts[0].cumulativeGasUsed: 21000 is not 1'),
    });
    expect(validate(ethereum, block, { ...CHECKED, number: 6 })).toMatchObject({
      refused: 'ETHEREUM block 6: the node answered with block 5',
    });
  });

  test('a value that does not decode is refused', () => {
    expect(validate(ethereum, withReceipt(block, { gasUsed: 'ten' }), CHECKED)).toEqual({
      refused: 'ETHEREUM block 5: receipts[0].gasUsed: it is not a hex quantity',
      fault: 'invalid block',
    });
  });

  test('a transaction of an unknown type is refused', () => {
    expect(validate(ethereum, withReceipt(block, { type: '0x42' }), CHECKED)).toMatchObject({
      refused: expect.stringContaining('no fee rule covers its type 0x42'),
    });
  });
});

test.each(['proven', 'checked'] as const)('with the policy %s, a newer ArbOS stops the chain', (evidence) => {
  const mixHash = `0x${'0'.repeat(46)}3e${'0'.repeat(16)}`;
  const ofArbos = { difficulty: '0x1', baseFeePerGas: '0x1', extraData: hashOf('send root'), mixHash };
  const newer = sealedBlock(arbitrum, [{ transaction: { type: '0x6a', chainId: '0x1' } }], {
    ...ofArbos,
    number: '0x2000000',
  });
  expect(validate(arbitrum, newer, { evidence })).toEqual({
    refused: expect.stringContaining('mixHash: ArbOS version 62 is newer than 61'),
    fault: 'unknown rule',
  });
});

test('with the policy checked, a block that collects tips is a rule change, though its price exceeds the base fee', () => {
  const mixHash = `0x${'0'.repeat(46)}3d0001${'0'.repeat(12)}`;
  const tipped = sealedBlock(arbitrum, [{ receipt: { effectiveGasPrice: '0x9' } }], {
    difficulty: '0x1',
    baseFeePerGas: '0x7',
    extraData: hashOf('send root'),
    mixHash,
    number: '0x2000000',
  });
  const lacking = withHeader(tipped, { nonce: undefined });
  expect(validate(arbitrum, lacking, CHECKED)).toEqual({
    refused: expect.stringContaining('this block collects tips'),
    fault: 'unknown rule',
  });
});

describe('before Nitro', () => {
  const classic = { transaction: { type: '0x78', hash: hashOf('classic') } };
  const old = sealedBlock(arbitrum, [classic], { number: '0x10' });

  test('blocks are checked, because they do not hash to their hash', () => {
    expect(validate(arbitrum, old)).toEqual(isProven(false));
    expect(validate(arbitrum, withReceipt(old, { blockHash: hashOf('fork') }))).toMatchObject({
      refused: expect.stringContaining(`receipts[0].blockHash: ${hashOf('fork')} is not `),
    });
  });

  test('the first block of Nitro must be proven', () => {
    const nitro = withHeader(old, { number: '0x152dd4a' });
    expect(validate(arbitrum, nitro)).toMatchObject({ fault: 'not proven' });
  });
});

describe('before Bedrock', () => {
  const optimism = chainOf('OPTIMISM');
  const ovm = (receipt: Json) => sealedBlock(optimism, [{ receipt }], { number: '0x2710' });
  const l1Data = (value: bigint) => ({
    value: expect.objectContaining({
      isProven: false,
      totals: expect.objectContaining({ fees: expect.objectContaining({ l1Data: value }) }),
    }),
  });

  test('the L1 fee is taken from the receipt, and the block is not proven', () => {
    expect(validate(optimism, ovm({ l1Fee: '0x37' }))).toEqual(l1Data(55n));
  });

  test('everything else must follow from the hash', () => {
    expect(
      validate(optimism, withReceipt(ovm({ l1Fee: '0x37' }), { effectiveGasPrice: '0x8' })),
    ).toMatchObject({ fault: 'not proven' });
  });

  test.each(['proven', 'checked'] as const)(
    'with the policy %s, null means no L1 charge, and a missing L1 fee is refused',
    (evidence) => {
      // Not provable, so that the policy decides.
      const given = (receipt: Json) =>
        evidence === 'checked' ? withHeader(ovm(receipt), { nonce: undefined }) : ovm(receipt);
      expect(validate(optimism, given({ l1Fee: null }), { evidence })).toEqual(l1Data(0n));
      expect(validate(optimism, given({}), { evidence })).toMatchObject({
        refused: expect.stringMatching(/l1Fee/),
      });
    },
  );
});
