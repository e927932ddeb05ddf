import fc from 'fast-check';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import type { BlobSchedule, Rules } from '#core/chains/rule-types.ts';
import type { BlobGas, BlockHeader } from '#core/figures/block.ts';
import { ProofError } from '#core/proof/encoding/proof-error.ts';
import type { RpcHeader } from '#core/proof/json/rpc-types.ts';
import {
  blobGasPrice,
  checkBlobs,
  excessProblem,
  fakeExponential,
  readBlobGas,
} from '#core/proof/prices/eip4844.ts';
import { linkOf } from '#core/proof/proven-block.ts';
import { recordedHeaders, recordedHeadersOf } from '#test/support/generators/blocks/recorded-headers.ts';
import { blobPriceOf } from '#test/support/generators/random/random-blobs.ts';

function priceAt(name: ChainName, timestamp: number, excessBlobGas: bigint): bigint {
  const header = {
    timestamp: `0x${timestamp.toString(16)}`,
    excessBlobGas: `0x${excessBlobGas.toString(16)}`,
  };
  return blobGasPrice(chainOf(name).rules, header);
}

test.each([
  // Vectors of https://github.com/ethereum/go-ethereum consensus/misc/eip4844/eip4844_test.go, TestFakeExponential.
  [1n, 0n, 1n, 1n],
  [38_493n, 0n, 1_000n, 38_493n],
  [0n, 1_234n, 2_345n, 0n],
  [1n, 2n, 1n, 6n],
  [1n, 4n, 2n, 6n],
  [1n, 3n, 1n, 16n],
  [1n, 6n, 2n, 18n],
  [1n, 4n, 1n, 49n],
  [1n, 8n, 2n, 50n],
  [10n, 8n, 2n, 542n],
  [11n, 8n, 2n, 596n],
  [1n, 5n, 1n, 136n],
  [1n, 5n, 2n, 11n],
  [2n, 5n, 2n, 23n],
  [1n, 50_000_000n, 2_225_652n, 5_709_098_764n],
])('approximates %d times e to the power of %d / %d as %d', (factor, numerator, denominator, expected) => {
  expect(fakeExponential(factor, numerator, denominator)).toBe(expected);
});

test.each([
  // The excess of ETHEREUM 22196189, whose receipt states this price; and the same excess under each later fork.
  ['ETHEREUM', 1_743_777_347, 20_054_016n, 406n],
  ['ETHEREUM', 1_746_612_310, 20_054_016n, 406n],
  ['ETHEREUM', 1_746_612_311, 20_054_016n, 54n],
  ['ETHEREUM', 1_765_290_071, 20_054_016n, 11n],
  ['ETHEREUM', 1_767_747_671, 20_054_016n, 5n],
  ['BSC', 1_767_747_671, 20_054_016n, 406n],
  ['GNOSIS', 1_710_181_820, 0n, 1_000_000_000n],
  // One blob above the target: e^(131072 / 1112826) times the least price.
  ['GNOSIS', 1_776_168_380, 131_072n, 1_124_999_975n],
] as const)('prices blob gas on %s at %i by the fork of that time', (name, timestamp, excess, expected) => {
  expect(priceAt(name, timestamp, excess)).toBe(expected);
});

test('refuses an excess at once whose price no one could pay, as a forged header may state it', () => {
  expect(() => priceAt('ETHEREUM', 1_767_747_671, 1n << 255n)).toThrow('no one could pay');
  // e to the power of 100, with the update fraction of Cancun.
  expect(priceAt('ETHEREUM', 1_743_777_347, 100n * 3_338_477n)).toBeGreaterThan(10n ** 43n);
  expect(() => priceAt('ETHEREUM', 1_743_777_347, 100n * 3_338_477n + 1n)).toThrow('no one could pay');
});

test('the price rises from the least price of the chain as the specification computes it', () => {
  const schedule = scheduleOf('ETHEREUM').slice(-1);
  const amounts = [fc.integer({ min: 1, max: 2 ** 40 }), fc.integer({ min: 1, max: 2 ** 25 })] as const;
  fc.assert(
    fc.property(
      ...amounts,
      fc.double({ min: 0, max: 40, noNaN: true }),
      (minPrice, updateFraction, power) => {
        const rules = {
          family: 'ethereum',
          blobSchedule: schedule.map((one) => ({ ...one, minPrice, updateFraction })),
        } as const;
        const excess = BigInt(Math.floor(power * updateFraction));
        const header = { timestamp: '0x7fffffff', excessBlobGas: `0x${excess.toString(16)}` };
        const price = blobGasPrice(rules, header);
        expect(price).toBe(blobPriceOf(excess, BigInt(updateFraction), BigInt(minPrice)));
        expect(price).toBeGreaterThanOrEqual(BigInt(minPrice));
      },
    ),
  );
});

test('refuses blobs at a time before the first fork with blobs', () => {
  expect(() => priceAt('ETHEREUM', 1_710_338_134, 0n)).toThrow(ProofError);
});

const G = 131_072;
const scheduleOf = (name: ChainName): BlobSchedule => {
  const { rules } = chainOf(name);
  if ('blobSchedule' in rules) return rules.blobSchedule;
  throw new Error('no blobs');
};
const ethereum = chainOf('ETHEREUM').rules;
const bsc = chainOf('BSC').rules;

const linkedPairs = (headers: readonly RpcHeader[]) =>
  headers.slice(1).flatMap((child, index) => {
    const parent = headers[index] as RpcHeader;
    return child.parentHash === parent.hash ? [{ parent: linkOf(parent), child: linkOf(child) }] : [];
  });

const excessOf = ({ blobGas }: BlockHeader) => `${blobGas?.excess}`;

describe.each(recordedHeaders())('recorded headers of $name', ({ headers, expected }) => {
  const pairs = linkedPairs(headers);

  test('state the excess that follows from the header before', () => {
    expect(pairs.map(({ child }) => excessOf(child))).toEqual(
      expected.map(({ excessBlobGas }) => excessBlobGas),
    );
    for (const { parent, child } of pairs) expect(excessProblem(ethereum, parent, child)).toBeUndefined();
  });

  test('contradict any other excess', () => {
    for (const { parent, child } of pairs) {
      const blobGas = { ...(child.blobGas as BlobGas), excess: BigInt(excessOf(child)) + 1n };
      expect(excessProblem(ethereum, parent, { ...child, blobGas })).toContain('follows from block');
    }
  });
});

/** The last rules of Ethereum with other numbers, in force since Cancun. */
const withBlobs = (change: object): Rules => {
  const last = scheduleOf('ETHEREUM').at(-1);
  if (ethereum.family !== 'ethereum' || !last) throw new Error('not Ethereum');
  return { ...ethereum, blobSchedule: [{ ...last, from: 1_710_338_135, ...change }] };
};

/*
 * Published vectors: TestCalcExcessBlobGas, TestCalcBlobFeePostOsaka and TestCalcExcessBlobGasEIP7918 of
 * https://github.com/ethereum/go-ethereum consensus/misc/eip4844/eip4844_test.go, at 02b73d4ea7.
 */
const CANCUN = 1_710_338_135;
const block = (number: number, timestamp: number, blobGas: Partial<BlobGas>): BlockHeader => ({
  number,
  timestamp,
  hash: '',
  parentHash: '',
  blobGas: { excess: 0n, used: 0n, baseFee: 0n, ...blobGas },
});
const follows = (rules: Rules, parent: BlockHeader, timestamp: number, excess: bigint) =>
  excessProblem(rules, parent, block(parent.number + 1, timestamp, { excess })) === undefined;

test.each([
  ['BPO1', { target: 9, max: 14, updateFraction: 8_832_827 }, 5_149_252n, 1_310_720n, 30n, 5_617_366n],
  ['BPO3', { target: 21, max: 32, updateFraction: 20_609_697 }, 19_251_039n, 2_490_368n, 50n, 20_107_103n],
  ['Osaka', { target: 6, max: 9, updateFraction: 5_007_716 }, 0n, BigInt(6 * G), 10n ** 9n, BigInt(2 * G)],
  ['Osaka above the reserve', { target: 6, max: 9, updateFraction: 5_007_716 }, 0n, BigInt(6 * G), 1n, 0n],
])(
  'with the reserve price and the numbers of %s, the excess follows',
  (_, numbers, excess, used, baseFee, want) => {
    const parent = block(1, CANCUN, { excess, used, baseFee });
    expect(follows(withBlobs(numbers), parent, CANCUN, want)).toBe(true);
  },
);

describe('a block of BSC', () => {
  const MENDEL = 1_777_343_400;
  const parent = (number: number) => block(number, MENDEL, { excess: BigInt(5 * G), used: BigInt(6 * G) });

  test('after one whose number is a multiple of five has another excess', () => {
    expect(follows(bsc, parent(100), MENDEL, BigInt(8 * G))).toBe(true);
    expect(follows(bsc, parent(100), MENDEL, BigInt(5 * G))).toBe(false);
  });

  test.each([101, 102, 103, 104])('after block %i keeps its excess', (number) => {
    expect(follows(bsc, parent(number), MENDEL, BigInt(5 * G))).toBe(true);
    expect(follows(bsc, parent(number), MENDEL, BigInt(8 * G))).toBe(false);
  });

  test('before Mendel has another excess each time, and never a reserve price', () => {
    const before = block(101, MENDEL - 10, {
      excess: BigInt(5 * G),
      used: BigInt(6 * G),
      baseFee: 10n ** 18n,
    });
    expect(follows(bsc, before, MENDEL - 1, BigInt(8 * G))).toBe(true);
  });
});

describe('a block of Gnosis', () => {
  const gnosis = chainOf('GNOSIS').rules;
  const OSAKA = 1_776_168_380;
  /** The base fee at which a sixteenth of it, the reserve price, is the least price of 1 gwei. */
  const EQUAL = 16_000_000_000n;
  const parent = (baseFee: bigint) => block(1, OSAKA, { used: BigInt(G), baseFee });

  test('compares the reserve price with the least price of 1 gwei', () => {
    expect(follows(gnosis, parent(EQUAL), OSAKA, 0n)).toBe(true);
    expect(follows(gnosis, parent(EQUAL + 1n), OSAKA, BigInt(G / 2))).toBe(true);
    expect(follows(gnosis, parent(EQUAL + 1n), OSAKA, 0n)).toBe(false);
  });

  test('has no reserve price before Osaka', () => {
    const before = block(1, OSAKA - 10, { excess: BigInt(G), used: BigInt(G), baseFee: 10n ** 18n });
    expect(follows(gnosis, before, OSAKA - 5, BigInt(G))).toBe(true);
    expect(follows(gnosis, before, OSAKA, BigInt(G + G / 2))).toBe(true);
  });
});

test('less than the target leaves no excess, and a block at the target keeps what it had', () => {
  const rules = withBlobs({ target: 6, max: 9, hasReservePrice: false });
  const after = (excess: number, blobs: number, expected: number) =>
    follows(
      rules,
      block(1, CANCUN, { excess: BigInt(excess), used: BigInt(blobs * G) }),
      CANCUN,
      BigInt(expected),
    );
  for (const [excess, blobs, expected] of [
    [G - 1, 5, 0],
    [G, 5, 0],
    [G + 1, 5, 1],
    [7, 6, 7],
  ] as const) {
    expect(after(excess, blobs, expected)).toBe(true);
    expect(after(excess, blobs, expected + 1)).toBe(false);
  }
});

test('the first block with blobs has no excess, whatever its parent', () => {
  const { blobGas, ...parent } = block(19_426_586, CANCUN - 12, {});
  expect(follows(ethereum, parent, CANCUN, 0n)).toBe(true);
  expect(follows(ethereum, parent, CANCUN, 1n)).toBe(false);
  expect(follows(withBlobs({ interval: 5 }), parent, CANCUN, 0n)).toBe(true);
});

test('an excess that no one could pay, as in a forged header, has no reserve price to wait for', () => {
  const parent = block(1, 1_790_000_000, { excess: 2n ** 64n, used: 0n, baseFee: 10n ** 30n });
  expect(follows(ethereum, parent, 1_790_000_012, 2n ** 64n - BigInt(14 * G))).toBe(true);
});

describe('the blobs of a block', () => {
  const header = (given: { readonly [Name in keyof RpcHeader]?: RpcHeader[Name] | undefined }) =>
    ({ ...recordedHeadersOf('ethereum-24476000')[0], ...given }) as RpcHeader;
  const blobs = (count: number) => [{ blobs: count }, {}];
  const used = (count: number) => `0x${(count * G).toString(16)}`;

  test('are those that its header states', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }), (count, stated) => {
        const check = () => checkBlobs(ethereum, header({ blobGasUsed: used(stated) }), blobs(count));
        if (count === stated && count <= 21) expect(check).not.toThrow();
        else expect(check).toThrow(expect.objectContaining({ field: 'blobGasUsed', isRuleChange: true }));
      }),
    );
  });

  test('are at most 21 since BPO2, and are not compared without both members of a header or a rule', () => {
    const check = (count: number) => () =>
      checkBlobs(ethereum, header({ blobGasUsed: used(count), timestamp: '0x6a500000' }), blobs(count));
    expect(check(21)).not.toThrow();
    expect(check(22)).toThrow('the block has 22 blobs, and may have 21');
    expect(() => checkBlobs(ethereum, header({ blobGasUsed: undefined }), blobs(3))).not.toThrow();
    expect(() => checkBlobs(chainOf('POLYGON').rules, header({ blobGasUsed: used(3) }), [])).not.toThrow();
  });

  test.each([{ excessBlobGas: undefined }, { blobGasUsed: undefined }])(
    'have no price in the next block by a header with %p',
    (absent) => {
      expect(readBlobGas(header(absent))).toBeUndefined();
      const child = { number: 2, timestamp: CANCUN + 12 };
      expect(excessProblem(ethereum, block(1, CANCUN, {}), child)).toBeUndefined();
      expect(
        excessProblem(chainOf('POLYGON').rules, block(1, CANCUN, {}), block(2, CANCUN + 12, { excess: 5n })),
      ).toBeUndefined();
    },
  );

  test('are none on BSC, except in every fifth block', () => {
    const at = (number: string) => () =>
      checkBlobs(bsc, header({ number, timestamp: '0x6a500000', blobGasUsed: used(1) }), blobs(1));
    expect(at('0x64')).not.toThrow();
    expect(at('0x65')).toThrow('the block has 1 blobs, and may have 0');
  });
});
