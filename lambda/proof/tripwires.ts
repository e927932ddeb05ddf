import type { ArbitrumRules } from '../chains/rules.ts';
import { ProofError, type RpcBlock } from './types.ts';

/*
 * Rule changes that would make figures wrong although every receipt agrees with them. A fork that adds header fields or
 * transaction types needs no tripwire: the block no longer hashes to its hash, or its type has no fee rule.
 */

/**
 * Checks that the fee rules known here apply to an Arbitrum Nitro block. Its mixHash holds the ArbOS version in bytes 16 to 23 and,
 * in byte 25, whether tips are collected: https://github.com/OffchainLabs/go-ethereum core/types/arb_types.go, HeaderInfo.
 * @throws ProofError when the ArbOS version is newer than known, or senders pay tips
 */
export function checkArbosRules({ lastArbosVersion }: ArbitrumRules, { mixHash }: RpcBlock): void {
  const version = arbosVersionOf(mixHash);
  if (version > lastArbosVersion) {
    throw new ProofError(
      'mixHash',
      `ArbOS version ${version} is newer than ${lastArbosVersion}, the last one known here: this chain has forked. Update Chain Insights.`,
    );
  }
  if (collectsTips(mixHash, version)) {
    throw new ProofError(
      'mixHash',
      'this block collects tips, which no fee rule here covers: this chain has changed its rules. Update Chain Insights.',
    );
  }
}

/** Returns the ArbOS version that a Nitro block ran with. */
export const arbosVersionOf = (mixHash: string): number => Number(`0x${bytesOf(mixHash, 16, 24)}`);

/** Version 9 collected tips without a flag. No Arbitrum One block with it is known. */
const ALWAYS_COLLECTED_TIPS = 9;

const collectsTips = (mixHash: string, version: number): boolean =>
  version === ALWAYS_COLLECTED_TIPS || (Number(`0x${bytesOf(mixHash, 25, 26)}`) & 1) === 1;

const bytesOf = (hex: string, from: number, to: number): string => hex.slice(2 + 2 * from, 2 + 2 * to);

/** Before this ArbOS version the method below does not exist, and its call reverts. */
export const MULTI_GAS_ARBOS_VERSION = 60;

/**
 * The `eth_call` of `getMultiGasPricingConstraints()` of ArbGasInfo, https://github.com/OffchainLabs/nitro precompiles/ArbGasInfo.go.
 * While constraints are set, senders get part of their fee back after execution, which no receipt shows:
 * https://github.com/OffchainLabs/nitro docs/decisions/0003-multi-dimensional-gas-refunds.md.
 */
export const MULTI_GAS_CONSTRAINTS_CALL = {
  to: '0x000000000000000000000000000000000000006c',
  data: '0xbbfc0a72',
} as const;

/** Tells an operator why a day with multi-gas pricing is not published. */
export const MULTI_GAS_PROBLEM =
  'Arbitrum has set multi-gas pricing constraints: senders get refunds that no receipt shows, so the fees would be overstated. Update Chain Insights.';

const WORD_DIGITS = 64;

/**
 * Returns whether the result of `MULTI_GAS_CONSTRAINTS_CALL` lists any constraint. It is an ABI-encoded dynamic array: its offset,
 * then its length, then its items.
 * @throws ProofError when the result is not such an array
 */
export function hasMultiGasConstraints(result: string): boolean {
  const isArray = /^0x0{62}20[0-9a-f]{64}/i.test(result);
  if (isArray) return BigInt(`0x${result.slice(2 + WORD_DIGITS, 2 + 2 * WORD_DIGITS)}`) > 0n;
  throw new ProofError(
    'getMultiGasPricingConstraints',
    `the endpoint returned ${result.slice(0, 66)}, which is not an ABI-encoded array`,
  );
}
