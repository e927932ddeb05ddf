import { validateBlock } from '#core/blocks/validate-block.ts';
import { type Chain, chainOf } from '#core/chains/chains.ts';
import { L1_ATTRIBUTES_DEPOSITOR } from '#core/chains/protocol-transactions.ts';
import type { EvidencePolicy } from '#core/figures/day-figures.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import {
  type FullBlock,
  fullBlockFolders,
  readFullBlock,
} from '#test/support/generators/blocks/full-blocks.ts';
import {
  blockResponse,
  hex,
  type Json,
  type RawBlock,
  withHeader,
} from '#test/support/generators/blocks/seal.ts';
import { sealedBlock } from '#test/support/generators/blocks/sealed-block.ts';
import { readOtherJson } from '#test/support/generators/chains/real-nodes.ts';

const ethereum = chainOf('ETHEREUM');
const arbitrum = chainOf('ARBITRUM');

/** Validates a block as a node returns it. The decoders write into what they get. */
function validate(chain: Chain, block: RawBlock, evidence: EvidencePolicy = 'proven') {
  const number = Number(block.header.number);
  const receipts = structuredClone(block.receipts);
  return validateBlock({ chain, evidence }, number, structuredClone(blockResponse(block, true)), receipts);
}

const isProven = (value: boolean) => ({ value: expect.objectContaining({ isProven: value }) });

const withReceipt = (block: RawBlock, change: Json): RawBlock => ({
  ...block,
  receipts: block.receipts.map((receipt, index) => (index === 0 ? { ...receipt, ...change } : receipt)),
});

describe('the price that a rule gives', () => {
  const isPriceStated = ({ block, receipts, chain }: FullBlock) => {
    const valid = validateBlock(
      { chain: chainOf(chain), evidence: 'proven' },
      Number(block.number),
      structuredClone(block),
      structuredClone(receipts),
    );
    return 'value' in valid ? valid.value.isPriceStated : valid.refused;
  };
  const without = (full: FullBlock, member: string) => ({
    ...full,
    receipts: full.receipts.map((receipt) =>
      Object.fromEntries(Object.entries(receipt as Json).filter(([name]) => name !== member)),
    ),
  });
  const { small, large } = fullBlockFolders;

  test.each([
    ['by receipts of blobs', large, 'ETHEREUM-20066032.json.gz', '', true],
    ['by none of them without its member', large, 'ETHEREUM-20066032.json.gz', 'blobGasPrice', undefined],
    ['by those of transactions that pay an L1 fee', small, 'OPTIMISM-105237730.json', '', true],
    ['by none of them without the fee', small, 'OPTIMISM-105237730.json', 'l1Fee', undefined],
    ['by none of a deposit, which pays none', large, 'op-stack/BASE-100.json.gz', '', undefined],
    ['by none of a chain without either', small, 'ETHEREUM-13998626.json', '', undefined],
  ])('is stated %s', (_, folder, name, left, expected) => {
    expect(isPriceStated(without(readFullBlock(folder, name), left))).toBe(expected);
  });
});

test.each(['proven', 'checked'] as const)('with the policy %s, a newer ArbOS stops the chain', (evidence) => {
  const mixHash = `0x${'0'.repeat(46)}3e${'0'.repeat(16)}`;
  const ofArbos = { difficulty: '0x1', baseFeePerGas: '0x1', extraData: hashOf('send root'), mixHash };
  const newer = sealedBlock(arbitrum, [{ transaction: { type: '0x6a', chainId: '0x1' } }], {
    ...ofArbos,
    number: '0x2000000',
  });
  expect(validate(arbitrum, newer, evidence)).toEqual({
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
  expect(validate(arbitrum, lacking, 'checked')).toEqual({
    refused: expect.stringContaining('this block collects tips'),
    fault: 'unknown rule',
  });
});

describe('with the policy checked from a block', () => {
  const FROM = 'checked from 33554432';
  const number = '0x2000000';
  const ofArbos = (version: string, flags: string) => ({
    difficulty: '0x1',
    baseFeePerGas: '0x7',
    extraData: hashOf('send root'),
    mixHash: `0x${'0'.repeat(46)}${version}${flags}${'0'.repeat(12)}`,
  });
  const priced = (effectiveGasPrice: string, given: Json = {}) => ({
    receipt: { effectiveGasPrice, ...given },
  });
  const polygon = chainOf('POLYGON');
  const base = chainOf('BASE');
  const l1Attributes = {
    type: '0x7e',
    from: L1_ATTRIBUTES_DEPOSITOR,
    sourceHash: hashOf('source'),
    input: '0x12345678',
  };
  const unknown = (block: RawBlock) => ({
    ...block,
    transactions: block.transactions.map((one) => ({ ...one, type: '0x79' })),
    receipts: block.receipts.map((one) => ({ ...one, type: '0x79' })),
  });
  /** Blocks at a number, each with a rule that is not known here, and what their receipts add up to. */
  const changes: readonly [string, Chain, (at: Json) => RawBlock, bigint][] = [
    [
      'an unknown member of the header',
      ethereum,
      (at) => withHeader(sealedBlock(ethereum, [priced('0x7')], at), { stateRoot: hashOf('state') }),
      7n,
    ],
    ['an unknown type', ethereum, (at) => unknown(sealedBlock(ethereum, [priced('0x9')], at)), 9n],
    [
      'a newer ArbOS',
      arbitrum,
      (at) => sealedBlock(arbitrum, [priced('0x8')], { ...ofArbos('3e', '0000'), ...at }),
      8n,
    ],
    [
      'tips',
      arbitrum,
      (at) => sealedBlock(arbitrum, [priced('0x9')], { ...ofArbos('3d', '0001'), ...at }),
      9n,
    ],
    [
      'reserved blockspace',
      polygon,
      (at) =>
        sealedBlock(polygon, [priced('0x0'), priced('0x9')], {
          baseFeePerGas: '0x8',
          ...at,
          extraData: '0x',
        }),
      9n,
    ],
    [
      'another layout of the L1 attributes',
      base,
      (at) =>
        sealedBlock(
          base,
          [
            { transaction: l1Attributes, receipt: { l1Fee: '0x0', depositNonce: '0x1' } },
            priced('0x5', { l1Fee: hex(21_000) }),
          ],
          { timestamp: '0x6a000000', ...at },
        ),
      5n + 1n,
    ],
  ];

  test.each(changes)(
    'accepts %s there, and takes the prices that receipts state',
    (change, chain, blockAt, price) => {
      const giuglianoBlock = 0x2000000;
      const { rules } = chain;
      const here = rules.family === 'polygon' ? { ...chain, rules: { ...rules, giuglianoBlock } } : chain;
      const valid = validate(here, blockAt({ number }), FROM);
      expect(valid).toEqual(isProven(false));
      const { execution = 0n, l1Data = 0n } = ('value' in valid && valid.value.totals.fees) || {};
      expect(execution + l1Data).toBe(21_000n * price);
      expect(validate(here, blockAt({ number }))).toHaveProperty('refused');
      expect(validate(here, blockAt({ number }), 'checked')).toHaveProperty(
        change === 'an unknown member of the header' ? 'value' : 'refused',
      );
    },
  );

  test('refuses a receipt that states no price, even if its transaction does', () => {
    const silent = unknown(
      sealedBlock(ethereum, [{ receipt: { effectiveGasPrice: undefined } }], { number }),
    );
    expect(validate(ethereum, silent, FROM)).toMatchObject({
      refused: expect.stringContaining('effectiveGasPrice: a figure depends on it'),
    });
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

describe('the blocks of old eras', () => {
  const OPTIMISM = chainOf('OPTIMISM');

  /** Validates the recorded answers of a real node, which a change may alter. */
  const validateRecorded = (
    chain: Chain,
    { block, receipts }: Pick<FullBlock, 'block' | 'receipts'>,
    evidence: EvidencePolicy = 'proven',
  ) => validateBlock({ chain, evidence }, Number(block.number), block, receipts);
  const ofReceipts = (full: FullBlock, change: Json): FullBlock => ({
    ...full,
    receipts: full.receipts.map((receipt) => ({ ...(receipt as Json), ...change })),
  });

  describe('Optimism before Bedrock', () => {
    const read = () => readFullBlock(fullBlockFolders.incomplete, 'OPTIMISM-56197908.json.gz');

    test.each(['proven', 'checked'] as const)(
      'with the policy %s, a null L1 fee of a transaction that pays is what the node has lost',
      (evidence) => {
        expect(validateRecorded(OPTIMISM, read(), evidence)).toEqual({
          refused: expect.stringContaining('receipts[0].l1Fee: the node left it out'),
          fault: 'unavailable',
        });
      },
    );

    test('the L1 fee of another node completes it', () => {
      const l1Fee = '0x9589b0a1a280';
      expect(validateRecorded(OPTIMISM, ofReceipts(read(), { l1Fee }))).toMatchObject({
        value: { isProven: false, totals: { fees: { execution: 129_952_000_000n, l1Data: BigInt(l1Fee) } } },
      });
    });
  });

  describe('Arbitrum before Nitro', () => {
    const read = () => readOtherJson<FullBlock>('classic/arbitrum-nitro-16464264.json.gz');
    const FEES = 206_504_884_964_703n;

    test('a node of Nitro states gas for L1 that its cumulative gas leaves out', () => {
      expect(validateRecorded(arbitrum, read())).toMatchObject({
        value: { isProven: false, totals: { transactions: 1, fees: { execution: FEES } } },
      });
    });

    const readClassic = () => readOtherJson<FullBlock>('classic/arbitrum-classic-19000174.json.gz');

    test('a node of Classic states neither type nor gas for L1, and its fees are the parts that it calls paid', () => {
      const { block, receipts } = readClassic();
      const stated = receipts as readonly ClassicReceipt[];
      const paid = stated.flatMap(({ feeStats }) => Object.values(feeStats.paid));
      const valid = validateRecorded(arbitrum, { block, receipts });
      expect(valid).toMatchObject({ value: { isProven: false, totals: { transactions: 2 } } });
      const { execution = 0n } = ('value' in valid && valid.value.totals.fees) || {};
      // Its gas is the paid sum divided by the price, rounded down.
      const rounding = paid.reduce((sum, part) => sum + BigInt(part), 0n) - execution;
      expect(rounding).toBeGreaterThanOrEqual(0n);
      expect(rounding).toBeLessThan(2n * BigInt(stated[0]?.effectiveGasPrice ?? 0));
    });

    test.each([
      ['first', 0, { cumulativeGasUsed: '0x124d29' }, 'receipts[0].cumulativeGasUsed: '],
      ['second', 1, { cumulativeGasUsed: '0x4893' }, 'receipts[1].cumulativeGasUsed: '],
      ['second', 1, { cumulativeGasUsed: '0x9127' }, 'gasUsed: '],
    ])(
      'cumulative gas of Classic that cannot follow is refused in the %s receipt (case %#)',
      (_, at, change, field) => {
        const { receipts, ...rest } = readClassic();
        const changed = receipts.map((one, index) => (index === at ? { ...(one as Json), ...change } : one));
        expect(validateRecorded(arbitrum, { ...rest, receipts: changed })).toEqual({
          refused: expect.stringContaining(`: ${field}`),
          fault: 'invalid block',
        });
      },
    );

    test.each([
      ['cumulative gas that does not leave out the gas for L1', { cumulativeGasUsed: '0xb823' }],
      ['more gas for L1 than gas', { gasUsedForL1: '0xb824' }],
      ['more cumulative gas than gas', { gasUsedForL1: undefined, cumulativeGasUsed: '0xb824' }],
    ])('%s is refused', (_, change) => {
      expect(validateRecorded(arbitrum, ofReceipts(read(), change))).toEqual({
        refused: expect.stringContaining('receipts[0].cumulativeGasUsed: '),
        fault: 'invalid block',
      });
    });

    test('a header with other gas than its receipts is refused', () => {
      const { block, ...full } = read();
      expect(validateRecorded(arbitrum, { ...full, block: { ...block, gasUsed: '0x5208' } })).toMatchObject({
        refused: expect.stringContaining('gasUsed: '),
      });
    });
  });
});

interface ClassicReceipt {
  readonly effectiveGasPrice: string;
  readonly feeStats: { readonly paid: Readonly<Record<string, string>> };
}
