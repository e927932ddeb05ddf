import fc from 'fast-check';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { ProofError } from '#core/proof/encoding/proof-error.ts';
import { blobGasOf, blobGasPrice, fakeExponential } from '#core/proof/prices/blob-fee.ts';

function priceAt(name: ChainName, timestamp: number, excessBlobGas: bigint): bigint {
  const { rules } = chainOf(name);
  return blobGasPrice('blobSchedule' in rules ? rules.blobSchedule : [], timestamp, excessBlobGas);
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

test('never falls when the excess rises, and stays within a millionth of the exponential function', () => {
  const excess = fc.bigInt({ min: 0n, max: 200_000_000n });
  fc.assert(
    fc.property(excess, excess, (a, b) => {
      const price = (given: bigint) => fakeExponential(1n, given, 5_007_716n);
      const [low, high] = a < b ? [a, b] : [b, a];
      expect(price(low) <= price(high)).toBe(true);
      const exact = Math.exp(Number(high) / 5_007_716);
      expect(Math.abs(Number(price(high)) - exact)).toBeLessThan(1 + exact / 1_000_000);
    }),
  );
});

test.each([
  // The excess of ETHEREUM 22196189, whose receipt states this price; and the same excess under each later fork.
  ['ETHEREUM', 1_743_777_347, 20_054_016n, 406n],
  ['ETHEREUM', 1_746_612_310, 20_054_016n, 406n],
  ['ETHEREUM', 1_746_612_311, 20_054_016n, 54n],
  ['ETHEREUM', 1_765_290_071, 20_054_016n, 11n],
  ['ETHEREUM', 1_767_747_671, 20_054_016n, 5n],
  ['BSC', 1_767_747_671, 20_054_016n, 406n],
] as const)('prices blob gas on %s at %i by the fork of that time', (name, timestamp, excess, expected) => {
  expect(priceAt(name, timestamp, excess)).toBe(expected);
});

test('refuses an excess at once whose price no one could pay, as a forged header may state it', () => {
  expect(() => priceAt('ETHEREUM', 1_767_747_671, 1n << 255n)).toThrow('no one could pay');
  expect(priceAt('ETHEREUM', 1_743_777_347, 100n * 3_338_477n)).toBeGreaterThan(10n ** 43n);
});

test('refuses blobs at a time before the first fork with blobs', () => {
  expect(() => priceAt('ETHEREUM', 1_710_338_134, 0n)).toThrow(ProofError);
});

test('counts 131,072 gas for each blob', () => {
  expect([blobGasOf([]), blobGasOf(['0x01', '0x02'])]).toEqual([0n, 262_144n]);
});
