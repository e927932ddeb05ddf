import { type ChainName, chainOf } from '#core/chains/chains.ts';
import {
  dependsOnReceiver,
  isProtocolTransaction,
  isSyntheticStateSync,
  mayListStateSync,
  type TransactionFacts,
} from '#core/chains/protocol-transactions.ts';
import { addressOf } from '#test/support/generators/blocks/builders.ts';

/** Returns whether a transfer of a user, with some facts overridden, is of the protocol. */
const isProtocol = (
  name: ChainName,
  { from = addressOf('sender'), ...given }: Partial<TransactionFacts> & { readonly from?: string },
): boolean =>
  isProtocolTransaction(chainOf(name).rules, {
    type: 0,
    to: addressOf('receiver'),
    feeCap: () => 2n,
    sender: () => from,
    miner: () => addressOf('miner'),
    ...given,
  });

const ZERO = `0x${'0'.repeat(40)}`;

test("on Base, the second deposit of a block since Denim is one: the depositor writes the block's milliseconds", () => {
  const from = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001';
  const to = '0x4200000000000000000000000000000000000030';
  expect(isProtocol('BASE', { type: 0x7e, from, to })).toBe(true);
  expect(isProtocol('BASE', { type: 0x7e, to })).toBe(false);
});

test.each<[string, object, boolean]>([
  ['to a system contract, without a price, by the miner', {}, true],
  ['to another contract', { to: addressOf('receiver') }, false],
  ['that creates a contract', { to: null }, false],
  ['with a price', { feeCap: () => 1n }, false],
  ['by a user', { from: addressOf('sender') }, false],
])('on BSC, a transaction %s is of the protocol: %p', (_, change, is) => {
  const system = { to: `0x${'1000'.padStart(40, '0')}`, feeCap: () => 0n, from: addressOf('miner') };
  expect(isProtocol('BSC', { ...system, ...change })).toBe(is);
});

test.each(['ETHEREUM', 'ARBITRUM', 'BSC', 'OPTIMISM', 'POLYGON'] as const)(
  'the receiver matters on %s exactly if another one makes a transaction of the protocol one of a user',
  (name) => {
    const system = { to: `0x${'1000'.padStart(40, '0')}`, feeCap: () => 0n, from: addressOf('miner') };
    const is = isProtocol(name, system);
    expect(dependsOnReceiver(chainOf(name).rules)).toBe(is !== isProtocol(name, { ...system, to: null }));
  },
);

test('on Arbitrum, an internal transaction is one; on Ethereum, none is', () => {
  expect(isProtocol('ARBITRUM', { type: 0x6a })).toBe(true);
  expect(isProtocol('ARBITRUM', { type: 0x68 })).toBe(false);
  expect(isProtocol('ETHEREUM', { type: 0x6a, feeCap: () => 0n })).toBe(false);
});

test.each<[string, string | null, bigint, boolean]>([
  [ZERO, ZERO, 0n, true],
  [ZERO, ZERO, 1n, false],
  [ZERO, addressOf('receiver'), 0n, false],
  [ZERO, null, 0n, false],
  [addressOf('sender'), ZERO, 0n, false],
])('a transaction from %s to %s with %d gas is a synthetic state-sync: %p', (from, to, gas, is) => {
  expect(isSyntheticStateSync(from, to, gas)).toBe(is);
});

test('on Polygon, a state-sync is one by its type, and nothing else from the zero address is', () => {
  expect(isProtocol('POLYGON', { type: 0x7f })).toBe(true);
  expect(isProtocol('POLYGON', { from: ZERO, to: ZERO })).toBe(false);
});

test.each([
  [0, false],
  [63, false],
  [64, true],
  [80, false],
  [38_189_056 - 64, true],
  [38_189_056 - 48, false],
  [38_189_056, true],
  [38_189_056 + 16, true],
  [38_189_056 + 8, false],
  [80_084_784, true],
  [80_084_800, false],
])('block %i of Polygon may list a synthetic state-sync: %s', (number, mayList) => {
  expect(mayListStateSync(chainOf('POLYGON').rules, number)).toBe(mayList);
});
