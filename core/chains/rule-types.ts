/**
 * The rules of a family of chains: charges, protocol transactions and when they changed. A closed union that `core/chains`
 * and `core/proof` interpret. Fork times are seconds; a fork is active in a block whose timestamp is at least that time.
 */
export type Rules =
  | { readonly family: 'ethereum'; readonly blobSchedule: BlobSchedule }
  | ArbitrumRules
  | BscRules
  | PolygonRules
  | OpStackRules;

export interface ArbitrumRules {
  readonly family: 'arbitrum';
  /** Genesis of Nitro; each later block begins with an internal transaction. */
  readonly nitroBlock: number;
  /** The newest ArbOS version whose fee rules this code knows: a block of a later one is not proven. */
  readonly lastArbosVersion: number;
}

interface PolygonRules {
  readonly family: 'polygon';
  /** First block whose state-sync transaction has a type of its own. */
  readonly stateSyncTypeFrom: number;
  /** Lengths of sprints in blocks, from a block on, oldest first. Only the first block of a sprint delivers L1 state. */
  readonly sprints: readonly { readonly from: number; readonly length: number }[];
  /** First block whose extra data lists the parameters of its base fee. */
  readonly giuglianoBlock: number;
}

interface BscRules {
  readonly family: 'bsc';
  readonly systemContracts: ReadonlySet<string>;
  readonly blobSchedule: BlobSchedule;
}

/** The rules of blobs by time, oldest first: https://eips.ethereum.org/EIPS/eip-7892. */
export type BlobSchedule = readonly BlobRules[];

export interface BlobRules {
  readonly from: number;
  /** `excessBlobGas` grows after blocks with more blobs than this. */
  readonly target: number;
  /** The maximum number of blobs of a block. */
  readonly max: number;
  /** The smaller this is, the faster the price rises with `excessBlobGas`. */
  readonly updateFraction: number;
  /** The least price of blob gas, in wei, with which the price rises: 1 unless it is stated. */
  readonly minPrice?: number;
  /** True if `excessBlobGas` does not fall while a blob costs less than a share of the base fee: https://eips.ethereum.org/EIPS/eip-7918. */
  readonly hasReservePrice?: boolean;
  /** Only blocks whose number is a multiple of this may have blobs: BEP-657 of BSC. */
  readonly interval?: number;
}

export interface OpStackRules {
  readonly family: 'op-stack';
  /** As the superchain registry states it. Of chains that post their data elsewhere than to Ethereum, the L1 fee is not known. */
  readonly dataAvailability: 'eth-da';
  readonly bedrockBlock: number;
  /** Before it the L1 fee also charged for a signature of 68 bytes. */
  readonly regolithTime: number;
  /** Since then the receipts trie holds the deposit nonce. */
  readonly canyonTime: number;
  /** The L1 fee takes L1's blob price into account since Ecotone, and the compressed size since Fjord. */
  readonly ecotoneTime: number;
  readonly fjordTime: number;
  /** The operator fee exists since Isthmus, and its formula changed with Jovian. */
  readonly isthmusTime: number;
  readonly jovianTime: number;
}
