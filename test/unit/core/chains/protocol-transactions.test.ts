import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { isProtocolTransaction, type TransactionFacts } from '#core/chains/protocol-transactions.ts';
import { addressOf } from '#test/support/generators/builders.ts';

/** Returns whether a transfer of a user, with some facts overridden, is of the protocol. */
const isProtocol = (
  name: ChainName,
  { from = addressOf('sender'), ...given }: Partial<TransactionFacts> & { readonly from?: string },
): boolean =>
  isProtocolTransaction(chainOf(name).rules, {
    type: 0,
    to: addressOf('receiver'),
    gasUsed: 21_000n,
    effectiveGasPrice: 2n,
    sender: () => from,
    miner: () => addressOf('miner'),
    ...given,
  });

const ZERO = `0x${'0'.repeat(40)}`;

test('Ethereum has no protocol transactions', () => {
  expect(isProtocol('ETHEREUM', { from: ZERO, to: ZERO, gasUsed: 0n })).toBe(false);
});

test('on Arbitrum, the internal type is a protocol transaction and a retryable is not', () => {
  expect(isProtocol('ARBITRUM', { type: 0x6a })).toBe(true);
  expect(isProtocol('ARBITRUM', { type: 0x69 })).toBe(false);
});

test.each(['OPTIMISM', 'BASE'] as const)(
  'on %s, the L1 attributes deposit is one and a user deposit is not',
  (name) => {
    const from = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001';
    expect(isProtocol(name, { type: 0x7e, from })).toBe(true);
    expect(isProtocol(name, { type: 0x7e })).toBe(false);
    expect(isProtocol(name, { type: 2, from })).toBe(false);
  },
);

test('on Polygon, a state-sync is one, by type or from the zero address', () => {
  expect(isProtocol('POLYGON', { type: 0x7f })).toBe(true);
  expect(isProtocol('POLYGON', { from: ZERO, to: ZERO, gasUsed: 0n })).toBe(true);
  expect(isProtocol('POLYGON', { to: ZERO, gasUsed: 0n })).toBe(false);
});

describe('on BSC, a call of the miner to a system contract at price 0', () => {
  const system = {
    from: addressOf('miner'),
    to: '0x0000000000000000000000000000000000001000',
    effectiveGasPrice: 0n,
  };

  test('is a protocol transaction', () => {
    expect(isProtocol('BSC', system)).toBe(true);
  });

  test.each([
    ['of another sender', { from: addressOf('sender') }],
    ['to another contract', { to: addressOf('receiver') }],
    ['to a new contract', { to: null }],
    ['at a price', { effectiveGasPrice: 1n }],
  ])('is not one %s', (_, change) => {
    expect(isProtocol('BSC', { ...system, ...change })).toBe(false);
  });
});
