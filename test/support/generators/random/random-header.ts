import type { Rules } from '#core/chains/rule-types.ts';
import { hex, type Json } from '#test/support/generators/blocks/seal.ts';
import type { Random } from './random.ts';
import type { BlockPlace } from './random-place.ts';
import { randomAddress, randomGas, randomHash } from './random-transactions.ts';

/** keccak256(rlp('')), the root of an empty trie. */
export const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
/** sha256(''), the hash of no requests. */
const NO_REQUESTS = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Extra data of Polygon: vanity, a list of validators, dependencies, gas target and denominator, seal. */
export const GAS_TARGETS = `0x${'00'.repeat(32)}c880c08401c9c38040${'00'.repeat(65)}`;

export const randomBloom = (random: Random): string => `0x${randomHash(random).slice(2).repeat(8)}`;

/** Generates the members of a header that do not follow from the block's transactions. */
export function headerFields(
  rules: Rules,
  random: Random,
  place: BlockPlace,
  blobGasUsed: bigint,
): Json & { readonly number: string; readonly timestamp: string } {
  return {
    number: hex(place.number),
    timestamp: hex(place.timestamp),
    miner: place.miner.address,
    stateRoot: randomHash(random),
    logsBloom: randomBloom(random),
    difficulty: hex(place.appended === 0 ? random.below(1_000_000) : 0),
    gasLimit: hex(120_000_000 + random.below(1_000)),
    extraData: random.pick(['0x', '0x00', '0x7f', '0x80', randomHash(random)]),
    mixHash: randomHash(random),
    nonce: randomHash(random).slice(0, 18),
    ...appendedFields(rules, random, place, blobGasUsed),
    ...(place.appended > 6 && { gasUsed: hex(randomGas(random)) }),
    ...(rules.family === 'arbitrum' && arbitrumFields(rules.nitroBlock, random, place)),
    // Also before Giugliano, because liars renumber these blocks.
    ...(rules.family === 'polygon' && place.number >= rules.stateSyncTypeFrom && { extraData: GAS_TARGETS }),
    ...(rules.family === 'bsc' && place.number % 2 === 1 && { sha3Uncles: paymentLane(place.number) }),
    // Not hashed.
    ...(random.chance(0.5) && { size: hex(random.below(100_000)), totalDifficulty: '0x0' }),
    uncles: [],
  };
}

/** The quota of BSC's payment lane, the gas of its payments, and zeros: BEP-703, which Jenner brings. */
function paymentLane(number: number): string {
  const words = [7_000_000, 21_000 * (number % 300)].map((gas) => gas.toString(16).padStart(16, '0'));
  return `0x${words.join('')}${'0'.repeat(32)}`;
}

/** Forks append members in a fixed order: EIP-1559, 4895, 4844 (two), 4788, 7685, 7928 and 7843. */
function appendedFields(rules: Rules, random: Random, place: BlockPlace, blobGasUsed: bigint): Json {
  const isDataFootprint = rules.family === 'op-stack' && place.timestamp >= rules.jovianTime;
  const members = {
    baseFeePerGas: hex(place.baseFee ?? 0n),
    withdrawalsRoot: random.chance(0.5) ? EMPTY_ROOT : randomHash(random),
    blobGasUsed: hex(isDataFootprint ? randomGas(random) : blobGasUsed),
    excessBlobGas: hex(place.blobs?.excessBlobGas ?? 0n),
    parentBeaconBlockRoot: randomHash(random),
    requestsHash: random.chance(0.5) ? NO_REQUESTS : randomHash(random),
    blockAccessListHash: randomHash(random),
    slotNumber: hex(random.below(20_000_000)),
  };
  return Object.fromEntries(Object.entries(members).slice(0, place.appended));
}

/** Without 9, which collected tips. 61 is the last known one. From 60 on, the ingest requests multi-gas constraints. */
const ARBOS_VERSIONS = [5, 10, 11, 20, 32, 40, 51, 59, 60, 61];

/** The mixHash of Nitro: number of sends, number of the L1 block, ArbOS version and flags. */
function arbitrumFields(nitroBlock: number, random: Random, place: BlockPlace): Json {
  if (place.number < nitroBlock) return { mixHash: `0x${'0'.repeat(64)}`, difficulty: '0x0' };
  const words = [
    random.below(100_000),
    17_000_000 + place.number,
    random.pick(ARBOS_VERSIONS),
    random.chance(0.2) ? 2 ** 40 : 0,
  ];
  const mixHash = words.map((word) => word.toString(16).padStart(16, '0')).join('');
  return {
    mixHash: `0x${mixHash}`,
    difficulty: '0x1',
    extraData: randomHash(random),
    sendRoot: randomAddress(random),
    l1BlockNumber: hex(17_000_000 + place.number),
  };
}
