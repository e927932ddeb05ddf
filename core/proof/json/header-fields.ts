/** The form of a header's member in RLP: an integer, a byte string, or one of exactly this number of bytes. */
type Form = 'quantity' | 'data' | number;

export type HeaderField = (typeof BASE_FIELDS | typeof APPENDED_FIELDS)[number];

/** Members that every header has, in the order of its RLP. */
export const BASE_FIELDS = [
  ['parentHash', 32],
  ['sha3Uncles', 32],
  ['miner', 20],
  ['stateRoot', 32],
  ['transactionsRoot', 32],
  ['receiptsRoot', 32],
  ['logsBloom', 256],
  ['difficulty', 'quantity'],
  ['number', 'quantity'],
  ['gasLimit', 'quantity'],
  ['gasUsed', 'quantity'],
  ['timestamp', 'quantity'],
  ['extraData', 'data'],
  ['mixHash', 32],
  ['nonce', 8],
] as const satisfies readonly (readonly [name: string, form: Form])[];

/** Members that forks appended, in that order: EIP-1559, 4895, 4844 (two), 4788, 7685, 7928 and 7843. */
export const APPENDED_FIELDS = [
  ['baseFeePerGas', 'quantity'],
  ['withdrawalsRoot', 32],
  ['blobGasUsed', 'quantity'],
  ['excessBlobGas', 'quantity'],
  ['parentBeaconBlockRoot', 32],
  ['requestsHash', 32],
  ['blockAccessListHash', 32],
  ['slotNumber', 'quantity'],
] as const satisfies readonly (readonly [name: string, form: Form])[];
