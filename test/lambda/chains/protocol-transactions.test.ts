import type { Receipt } from '../../../lambda/chains/block.ts';
import { type ChainName, chainOf } from '../../../lambda/chains/chains.ts';
import { isProtocolReceipt } from '../../../lambda/chains/protocol-transactions.ts';
import { addressOf, header, receipt } from '../../support/builders.ts';

const isProtocol = (name: ChainName, given: Partial<Receipt>, headerGiven = {}) =>
  isProtocolReceipt(chainOf(name), header(headerGiven), receipt(given));

const ZERO = `0x${'0'.repeat(40)}`;

test('Ethereum has none', () => {
  expect(isProtocol('ETHEREUM', { from: ZERO, to: ZERO, gasUsed: 0n })).toBe(false);
});

test("on Arbitrum it is the internal type, and not a user's retryable", () => {
  expect(isProtocol('ARBITRUM', { type: 0x6a })).toBe(true);
  expect(isProtocol('ARBITRUM', { type: 0x69 })).toBe(false);
});

test.each(['OPTIMISM', 'BASE'] as const)(
  "on %s it is the L1 attributes deposit, and not a user's deposit",
  (name) => {
    const from = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001';
    expect(isProtocol(name, { type: 0x7e, from })).toBe(true);
    expect(isProtocol(name, { type: 0x7e })).toBe(false);
    expect(isProtocol(name, { type: 2, from })).toBe(false);
  },
);

test('on Polygon it is a state-sync, by type or from the zero address', () => {
  expect(isProtocol('POLYGON', { type: 0x7f })).toBe(true);
  expect(isProtocol('POLYGON', { from: ZERO, to: ZERO, gasUsed: 0n })).toBe(true);
  expect(isProtocol('POLYGON', { to: ZERO, gasUsed: 0n })).toBe(false);
});

describe('on BSC it is a call of the miner, to a system contract, at price 0', () => {
  const system = {
    from: addressOf('miner'),
    to: '0x0000000000000000000000000000000000001000',
    effectiveGasPrice: 0n,
  };

  test('all three together', () => {
    expect(isProtocol('BSC', system)).toBe(true);
  });

  test.each([
    ['from somebody else', { from: addressOf('sender') }],
    ['to another contract', { to: addressOf('receiver') }],
    ['to a new contract', { to: null }],
    ['at a price', { effectiveGasPrice: 1n }],
  ])('but not %s', (_, change) => {
    expect(isProtocol('BSC', { ...system, ...change })).toBe(false);
  });

  test('and cannot be told where the node left out the miner', () => {
    expect(() => isProtocol('BSC', system, { miner: undefined })).toThrow(
      'BSC block 100: the node left out miner',
    );
  });
});
