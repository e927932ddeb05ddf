import type { ArbitrumRules, Rules } from '../../chains/rule-types.ts';
import { isQuantity, shown } from '../encoding/hex.ts';
import { changedRule, ProofError, unknownRule } from '../encoding/proof-error.ts';
import { createListReader } from '../encoding/rlp-reader.ts';
import type { RpcHeader } from '../json/rpc-types.ts';

/*
 * Rule changes that would make figures wrong although every receipt agrees with them. A fork that adds header fields or
 * transaction types needs no tripwire: the block no longer hashes to its hash, or its type has no fee rule.
 */

const AMSTERDAM =
  'it is a field of Amsterdam, which this chain has not: if every endpoint reports it, this chain has forked. Update Chain Insights.';

/** @throws ProofError unless the fee rules that we know apply to the block of a header */
export function checkHeaderRules(
  rules: Rules,
  header: ArbosHeader & Pick<RpcHeader, 'number' | 'blockAccessListHash'>,
): void {
  // The seal of BSC covers no field of Amsterdam, so that anyone could add it to a sealed header.
  if (rules.family !== 'ethereum' && header.blockAccessListHash != null)
    throw unknownRule('blockAccessListHash', AMSTERDAM);
  if (rules.family === 'arbitrum') checkArbosRules(rules, header);
  if (rules.family === 'polygon' && Number(header.number) >= rules.giuglianoBlock)
    checkExtraData(`${header.extraData}`);
}

/** @throws ProofError when the ArbOS version is newer than known or malformed, or senders pay tips */
function checkArbosRules({ lastArbosVersion }: ArbitrumRules, header: ArbosHeader): void {
  const { version, collectsTips } = readArbosInfo(header);
  if (version > lastArbosVersion) {
    throw unknownRule(
      'mixHash',
      `ArbOS version ${version} is newer than ${lastArbosVersion}, the last one known here: this chain has forked. Update Chain Insights.`,
    );
  }
  if (collectsTips) throw changedRule('mixHash', 'this block collects tips, which no fee rule here covers');
}

/** Validators, dependencies of transactions, gas target and base fee denominator: Polygon's PIP-83. */
const MAX_EXTRA_ITEMS = 4;
const EXTRA_VANITY_BYTES = 32;
const EXTRA_SEAL_BYTES = 65;

/**
 * Checks that the extra data of a Polygon header lists only known items. Reserved blockspace appends the gas and the capacity of
 * transactions that pay nothing regardless of their offers, and no hash shows which these are: https://github.com/0xPolygon/bor/pull/2302.
 * @throws ProofError when it lists more, or is not a list
 */
function checkExtraData(extraData: string): void {
  const list = Buffer.from(extraData.slice(2), 'hex').subarray(EXTRA_VANITY_BYTES, -EXTRA_SEAL_BYTES);
  try {
    if (createListReader(list, 'extraData').count('extraData') <= MAX_EXTRA_ITEMS) return;
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
  }
  const problem = `it does not list up to ${MAX_EXTRA_ITEMS} members, as before reserved blockspace`;
  throw changedRule('extraData', problem);
}

/** The members of a header that ArbOS writes. If blocks are only checked, a node may give any value. */
export type ArbosHeader = {
  readonly [Name in 'difficulty' | 'baseFeePerGas' | 'extraData' | 'mixHash']?: unknown;
};

/** Version 9 collected tips without a flag. No Arbitrum One block with it is known. */
const ALWAYS_COLLECTED_TIPS = 9;
const SEND_ROOT_LENGTH = 2 + 2 * 32;
const HASH = /^0x[0-9a-f]{64}$/i;

/**
 * Reads the ArbOS version from bytes 16 to 23 of the mixHash, and from byte 25 whether tips are collected. The version is 0 if there is
 * none: only headers that ArbOS wrote have them, not those of genesis, of imported blocks or of development chains:
 * https://github.com/OffchainLabs/go-ethereum core/types/arb_types.go, DeserializeHeaderExtraInformation.
 * @throws ProofError when the mixHash of such a header is not 32 bytes of hex, which only happens in a header that is not proven
 */
export function readArbosInfo({ difficulty, baseFeePerGas, extraData, mixHash }: ArbosHeader): {
  version: number;
  collectsTips: boolean;
} {
  const hasSendRoot = typeof extraData === 'string' && extraData.length === SEND_ROOT_LENGTH;
  const isOfArbos = numberOf(difficulty) === 1 && numberOf(baseFeePerGas) > 0 && hasSendRoot;
  if (!isOfArbos || typeof mixHash !== 'string') return { version: 0, collectsTips: false };
  // Any other text would become NaN, which is never greater than the last known version.
  if (!HASH.test(mixHash)) throw new ProofError('mixHash', 'it is not 32 bytes');
  const version = Number(`0x${bytesOf(mixHash, 16, 24)}`);
  const isFlagged = (Number(`0x${bytesOf(mixHash, 25, 26)}`) & 1) === 1;
  return { version, collectsTips: version === ALWAYS_COLLECTED_TIPS || isFlagged };
}

const numberOf = (value: unknown): number => (isQuantity(value) ? Number(value) : Number.NaN);

const bytesOf = (hex: string, from: number, to: number): string => hex.slice(2 + 2 * from, 2 + 2 * to);

/** Before this ArbOS version the method below does not exist, and its call reverts. */
export const MULTI_GAS_ARBOS_VERSION = 60;

/**
 * The `eth_call` of `getMultiGasPricingConstraints()` of ArbGasInfo, https://github.com/OffchainLabs/nitro precompiles/ArbGasInfo.go.
 * While constraints are set, senders get part of their fee back after execution, which no receipt shows:
 * https://github.com/OffchainLabs/nitro, decision record 0003-multi-dimensional-gas-refunds.
 */
export const MULTI_GAS_CONSTRAINTS_CALL = {
  to: '0x000000000000000000000000000000000000006c',
  data: '0xbbfc0a72',
} as const;

/** The reason why a day with multi-gas pricing is not published. */
export const MULTI_GAS_PROBLEM =
  'Arbitrum has set multi-gas pricing constraints: senders get refunds that no receipt shows, so the fees would be overstated. Update Chain Insights.';

/**
 * Returns whether the result of `MULTI_GAS_CONSTRAINTS_CALL` lists any constraint. It is an ABI-encoded dynamic array: its offset,
 * then its length, then its items.
 * @throws ProofError when the result is not such an array
 */
export function hasMultiGasConstraints(result: string): boolean {
  const [, length] = /^0x0{62}20([0-9a-f]{64})/i.exec(result) ?? [];
  if (length !== undefined) return BigInt(`0x${length}`) > 0n;
  throw new ProofError(
    'getMultiGasPricingConstraints',
    `the endpoint returned ${shown(result)}, which is not an ABI-encoded array`,
  );
}
