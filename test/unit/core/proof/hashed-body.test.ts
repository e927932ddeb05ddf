import { concat, keccak256, numberToHex, stringToHex } from 'viem';
import { chainOf } from '#core/chains/chains.ts';
import { hashedBody, stateSyncHash } from '#core/proof/hashed-body.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';

/* Proves what of a Polygon block the roots cover, however a node lists the state-sync pseudo-transaction. */

const HASH = hashOf('block') as `0x${string}`;
/** https://github.com/0xPolygon/bor core/types/bor_receipt.go */
const hashAt = (number: number) =>
  keccak256(concat([stringToHex('matic-bor-receipt-'), numberToHex(number, { size: 8 }), HASH]));

test.each([64, 80_084_784, 2 ** 40])('derives the hash of the state-sync in block %i', (number) => {
  expect(stateSyncHash(number, HASH)).toBe(hashAt(number));
});

const polygon = chainOf('POLYGON');
/** The first block of a sprint of 16. */
const NUMBER = 60_000_000;
const stateSync = hashAt(NUMBER);
const [a, b] = [hashOf('a'), hashOf('b')];

interface Given {
  readonly body: readonly string[];
  readonly receipts: readonly string[];
  readonly number?: number;
  readonly chain?: typeof polygon;
}

/** Returns the hashes that are left in the body and in the receipts. */
function split({ body, receipts, number = NUMBER, chain = polygon }: Given) {
  const transactions = body.map((hash) => ({ hash }));
  const given = receipts.map((transactionHash) => ({ transactionHash }));
  const hashed = hashedBody(chain, number, HASH, { transactions }, given);
  return [
    hashed.transactions.map(({ hash }) => hash),
    hashed.receipts.map(({ transactionHash }) => transactionHash),
    hashed.hasStateSync,
  ];
}

test.each<[string, readonly string[], readonly string[], boolean]>([
  ['neither', [a, b], [a, b], false],
  ['both', [a, b, stateSync], [a, b, stateSync], true],
  ['both, in capitals', [a, b, `0x${stateSync.slice(2).toUpperCase()}`], [a, b, stateSync], true],
  ['both, with another hash in the receipt', [a, b, stateSync], [a, b, hashOf('other')], true],
  ['the body', [a, b, stateSync], [a, b], true],
  ['the receipts', [a, b], [a, b, stateSync], false],
])('leaves out a state-sync that is in %s', (_, body, receipts, hasStateSync) => {
  expect(split({ body, receipts })).toEqual([[a, b], [a, b], hasStateSync]);
});

test('leaves out one of a block without other transactions', () => {
  expect(split({ body: [stateSync], receipts: [stateSync] })).toEqual([[], [], true]);
  expect(split({ body: [], receipts: [] })).toEqual([[], [], false]);
});

test.each<[string, Partial<Given>]>([
  ['within a sprint', { number: NUMBER + 1 }],
  ['since a root covers it', { number: 80_084_800 }],
  ['on another chain', { chain: chainOf('BSC') }],
])('leaves out none %s', (_, change) => {
  const number = change.number ?? NUMBER;
  const whole = [a, hashAt(number)];
  expect(split({ body: whole, receipts: whole, ...change })).toEqual([whole, whole, false]);
});

test('keeps a last transaction with another hash', () => {
  expect(split({ body: [a, b], receipts: [a] })).toEqual([[a, b], [a], false]);
  expect(split({ body: [stateSync, a], receipts: [stateSync, a] })).toEqual([
    [stateSync, a],
    [stateSync, a],
    false,
  ]);
});
