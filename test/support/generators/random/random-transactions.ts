import { type Fees, NO_FEES } from '#core/figures/fee-parts.ts';
import { addressOf, hashOf } from '#test/support/generators/blocks/builders.ts';
import { hex, type Json } from '#test/support/generators/blocks/seal.ts';
import type { Random } from './random.ts';
import type { BlockPlace } from './random-place.ts';
import { strangersSignature } from './random-signatures.ts';

/** A generated transaction with its expected fees, computed from the definitions and not by the rules under test. */
export interface RandomTransaction {
  readonly type: number;
  /** The transaction as a node returns it, without its place in the block. */
  readonly json: Json;
  readonly gasUsed: bigint;
  /** `effectiveGasPrice` of the receipt, wei per gas. */
  readonly price: bigint;
  /** False when the receipt omits `effectiveGasPrice`. */
  readonly isPriceInReceipt: boolean;
  readonly succeeded: boolean;
  /** Further quantities of the receipt, by field. */
  readonly fields: Readonly<Record<string, bigint | null>>;
  readonly isProtocol: boolean;
  /** In wei. */
  readonly paid: Fees;
  /** Hash of the redeem of Arbitrum that it schedules. */
  readonly schedules?: string | undefined;
}

export const [LEGACY, ACCESS_LIST, DYNAMIC_FEE, BLOB, SET_CODE] = [0, 1, 2, 3, 4] as const;
const GAS_PER_BLOB = 131_072n;

export const several = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
export const address = (suffix: string): string => `0x${suffix.padStart(40, '0')}`;
export const randomAddress = (random: Random): string => addressOf(`${random.bigintBelow(2n ** 64n)}`);
export const randomHash = (random: Random): string => hashOf(`${random.bigintBelow(2n ** 64n)}`);

/** Generates a price or an amount of any size, including 0 and values beyond 2^53. */
export const randomAmount = (random: Random): bigint =>
  random.bigintBelow(10n ** random.pick([0n, 3n, 9n, 12n, 15n, 19n]));

export const randomGas = (random: Random): bigint =>
  BigInt(21_000 + random.below(random.pick([1, 100_000, 30_000_000])));

/** Generates call data, around the lengths where RLP changes and compression begins. */
export function randomData(random: Random): string {
  const words = several(random.pick([0, 0, 1, 3, 8]), () =>
    random.chance(0.5)
      ? randomHash(random).slice(2)
      : hashOf(`${random.below(9)}`)
          .slice(58)
          .padStart(64, '0'),
  );
  return `0x${words.join('')}${'5a'.repeat(random.pick([0, 1, 4, 20]))}`;
}

/** The members that all signed transactions have. */
export const commonFields = (random: Random, type: number, gasUsed: bigint): Json => ({
  type: hex(type),
  hash: randomHash(random),
  from: randomAddress(random),
  to: random.chance(0.15) ? null : randomAddress(random),
  nonce: hex(random.below(1_000)),
  // Siblings use a little more.
  gas: hex(gasUsed * BigInt(1 + random.below(3)) + 2_000n),
  value: hex(randomAmount(random)),
  input: randomData(random),
});

/** The offer of a transaction for its gas, and the price that it pays. */
interface Bid {
  readonly json: Json;
  readonly price: bigint;
}

/** Legacy and access list transactions pay the price that they name; the others min(maxFee, base fee + tip). */
export function randomBid(random: Random, type: number, baseFee = 0n): Bid {
  const most = baseFee + randomAmount(random);
  if (type === LEGACY || type === ACCESS_LIST) return { json: { gasPrice: hex(most) }, price: most };
  const tip = random.chance(0.5) ? random.bigintBelow(most + 1n) : most - baseFee;
  const isCapped = baseFee + tip > most;
  const price = isCapped ? most : baseFee + tip;
  return { json: { maxFeePerGas: hex(most), maxPriorityFeePerGas: hex(tip), gasPrice: hex(price) }, price };
}

/** The parts of a transaction that tests choose. */
interface Given {
  readonly bid?: Bid;
  /** Members of the transaction. */
  readonly json?: Json;
}

/** Generates a user transaction of one of the types, which pays for its gas and its blobs. */
export function userTransaction(
  random: Random,
  place: BlockPlace,
  types: readonly number[],
  given: Given = {},
): RandomTransaction {
  const type = random.pick(types);
  const gasUsed = randomGas(random);
  const { json, price } = given.bid ?? randomBid(random, type, place.baseFee);
  const blobs = type === BLOB ? blobsOf(random, place) : undefined;
  return {
    type,
    json: {
      ...commonFields(random, type, gasUsed),
      ...json,
      ...typeFields(random, type, place),
      ...blobs?.json,
      ...given.json,
    },
    gasUsed,
    price,
    isPriceInReceipt: !random.chance(place.isOld ? 0.4 : 0.1),
    succeeded: random.chance(0.8),
    fields: { ...blobs?.fields },
    isProtocol: false,
    paid: { ...NO_FEES, execution: gasUsed * price, blob: blobs?.fee ?? 0n },
  };
}

function typeFields(random: Random, type: number, { chainId }: BlockPlace): Json {
  if (type === LEGACY) {
    const isProtected = random.chance(0.9);
    const signature = strangersSignature(random, type, isProtected ? chainId : undefined);
    return { ...signature, ...(isProtected && { chainId: hex(chainId) }) };
  }
  return {
    chainId: hex(chainId),
    accessList: randomAccessList(random),
    ...strangersSignature(random, type, chainId),
    // These cannot create a contract.
    ...(type >= BLOB && { to: randomAddress(random) }),
    ...(type === SET_CODE && {
      authorizationList: several(random.below(3), () => authorization(random, chainId)),
    }),
  };
}

const randomAccessList = (random: Random): Json[] =>
  several(random.pick([0, 0, 1, 2]), () => ({
    address: randomAddress(random),
    storageKeys: several(random.below(3), () => randomHash(random)),
  }));

const authorization = (random: Random, chainId: number): Json => ({
  chainId: hex(random.pick([0, chainId])),
  address: randomAddress(random),
  nonce: hex(random.below(300)),
  ...strangersSignature(random, SET_CODE, chainId),
});

/** Blobs are a separate part of the fee: https://eips.ethereum.org/EIPS/eip-4844. */
function blobsOf(random: Random, { blobs }: BlockPlace) {
  if (!blobs) throw new Error('blobs before Cancun');
  // A block has up to four of them.
  const hashes = several(
    1 + random.below(Math.floor(blobs.max / 4)),
    () => `0x01${randomHash(random).slice(4)}`,
  );
  const gas = GAS_PER_BLOB * BigInt(hashes.length);
  return {
    // Generous, because stories about other chains seal blocks again, at other prices.
    json: {
      blobVersionedHashes: hashes,
      maxFeePerBlobGas: hex(10n ** 6n * blobs.price + randomAmount(random)),
    },
    fields: { blobGasUsed: gas, blobGasPrice: blobs.price },
    fee: gas * blobs.price,
  };
}
