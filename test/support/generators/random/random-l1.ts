import type { Chain } from '#core/chains/chains.ts';
import type { OpStackRules } from '#core/chains/rule-types.ts';
import { hashTransactions } from '#core/proof/fields/transactions.ts';
import type { RpcTransaction } from '#core/proof/json/rpc-types.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import { compressFastLz } from '#test/support/generators/blocks/fast-lz.ts';
import { type Json, NO_HASH } from '#test/support/generators/blocks/seal.ts';
import type { Random } from './random.ts';
import type { BlockPlace } from './random-place.ts';
import { randomAmount } from './random-transactions.ts';

/** The L1 attributes of an OP stack block. */
export interface L1Attributes {
  readonly layout: 'Bedrock' | 'Ecotone' | 'Isthmus' | 'Jovian';
  readonly baseFee: bigint;
  readonly blobBaseFee: bigint;
  readonly overhead: bigint;
  readonly scalar: bigint;
  readonly baseFeeScalar: bigint;
  readonly blobBaseFeeScalar: bigint;
  readonly operatorFeeScalar: bigint;
  readonly operatorFeeConstant: bigint;
}

export function randomL1(random: Random, rules: OpStackRules, place: BlockPlace): L1Attributes {
  const layout = layoutOf(rules, place);
  const scalar = () => random.bigintBelow(2n ** random.pick([1n, 20n, 32n]));
  const hasOperatorFee = (layout === 'Isthmus' || layout === 'Jovian') && random.chance(0.7);
  return {
    layout,
    baseFee: randomAmount(random),
    blobBaseFee: randomAmount(random),
    overhead: BigInt(random.below(3_000)),
    scalar: BigInt(random.below(1_000_000)),
    baseFeeScalar: scalar(),
    blobBaseFeeScalar: scalar(),
    operatorFeeScalar: hasOperatorFee && random.chance(0.8) ? random.bigintBelow(2n ** 32n) : 0n,
    operatorFeeConstant: hasOperatorFee && random.chance(0.8) ? random.bigintBelow(2n ** 64n) : 0n,
  };
}

/** The first block of a fork still has the layout before it, because its L1 attributes were made for the parent's rules. */
function layoutOf(rules: OpStackRules, { number, parentTimestamp }: BlockPlace): L1Attributes['layout'] {
  if (number === rules.bedrockBlock || parentTimestamp < rules.ecotoneTime) return 'Bedrock';
  if (parentTimestamp < rules.isthmusTime) return 'Ecotone';
  return parentTimestamp < rules.jovianTime ? 'Isthmus' : 'Jovian';
}

const selectors = { Bedrock: '015d8eb9', Ecotone: '440a5e20', Isthmus: '098999be', Jovian: '3db6be2b' };

/** Encodes L1 attributes as call data: https://specs.optimism.io/protocol/deposits.html and the pages of the later forks. */
export function l1Input(l1: L1Attributes): string {
  const uint = (bytes: number, value: bigint) => value.toString(16).padStart(2 * bytes, '0');
  const word = (value: bigint) => uint(32, value);
  const hash = (what: string) => hashOf(`${what} of ${l1.baseFee} ${l1.blobBaseFee}`).slice(2);
  const [number, time, sequence] = [20_000_000n, 1_800_000_000n, 3n];
  if (l1.layout === 'Bedrock') {
    const words = [
      word(number),
      word(time),
      word(l1.baseFee),
      hash('block'),
      word(sequence),
      hash('batcher'),
    ];
    return `0x${[selectors.Bedrock, ...words, word(l1.overhead), word(l1.scalar)].join('')}`;
  }
  const operator = [uint(4, l1.operatorFeeScalar), uint(8, l1.operatorFeeConstant)];
  return `0x${[
    selectors[l1.layout],
    uint(4, l1.baseFeeScalar),
    uint(4, l1.blobBaseFeeScalar),
    uint(8, sequence),
    uint(8, time),
    uint(8, number),
    word(l1.baseFee),
    word(l1.blobBaseFee),
    hash('block'),
    hash('batcher'),
    ...(l1.layout === 'Ecotone' ? [] : operator),
    ...(l1.layout === 'Jovian' ? [uint(2, 400n)] : []),
  ].join('')}`;
}

/** Returns the signed bytes of a transaction. */
export function payloadOf(chain: Chain, transaction: Json): Uint8Array {
  const [hashed] = hashTransactions(chain, [{ ...transaction, hash: NO_HASH } as RpcTransaction]);
  return Uint8Array.from(hashed?.payload ?? []);
}

/**
 * Computes the L1 fee of a transaction from its signed bytes, in wei: https://specs.optimism.io/protocol/exec-engine.html, and
 * https://specs.optimism.io/protocol/fjord/exec-engine.html#fees.
 * @param timestamp seconds, of the block
 */
export function l1FeeOf(
  rules: OpStackRules,
  timestamp: number,
  l1: L1Attributes,
  payload: Uint8Array,
): bigint {
  const gas = payload.reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 0n);
  if (l1.layout === 'Bedrock') {
    const signature = timestamp < rules.regolithTime ? 68n * 16n : 0n;
    return ((gas + signature + l1.overhead) * l1.baseFee * l1.scalar) / 1_000_000n;
  }
  const perByte = 16n * l1.baseFeeScalar * l1.baseFee + l1.blobBaseFeeScalar * l1.blobBaseFee;
  if (timestamp < rules.fjordTime) return (gas * perByte) / 16_000_000n;
  const estimate = 836_500n * BigInt(compressFastLz(payload).length) - 42_585_600n;
  return ((estimate < 100_000_000n ? 100_000_000n : estimate) * perByte) / 1_000_000_000_000n;
}

/** Computes the operator fee in wei: https://specs.optimism.io/protocol/jovian/exec-engine.html#operator-fee. */
export function operatorFeeOf(
  rules: OpStackRules,
  timestamp: number,
  { operatorFeeScalar, operatorFeeConstant }: L1Attributes,
  gasUsed: bigint,
): bigint {
  if (timestamp < rules.isthmusTime) return 0n;
  const share = gasUsed * operatorFeeScalar;
  return (timestamp < rules.jovianTime ? share / 1_000_000n : share * 100n) + operatorFeeConstant;
}
