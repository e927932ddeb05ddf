import type { Rules } from './rule-types.ts';

/* EIP-2718 transaction types. */

const LEGACY = 0x00;
const ACCESS_LIST = 0x01;
const DYNAMIC_FEE = 0x02;
export const BLOB = 0x03;
const SET_CODE = 0x04;
// https://github.com/OffchainLabs/go-ethereum core/types/transaction.go
const ARBITRUM_DEPOSIT = 0x64;
const ARBITRUM_UNSIGNED = 0x65;
const ARBITRUM_CONTRACT = 0x66;
export const ARBITRUM_RETRY = 0x68;
const ARBITRUM_SUBMIT_RETRYABLE = 0x69;
export const ARBITRUM_INTERNAL = 0x6a;
export const ARBITRUM_CLASSIC = 0x78;
// https://specs.optimism.io/protocol/deposits.html; 0x7d is op-geth's draft post-execution transaction.
export const OP_POST_EXECUTION = 0x7d;
export const OP_DEPOSIT = 0x7e;
// https://github.com/0xPolygon/bor core/types/tx_state_sync.go
export const POLYGON_STATE_SYNC = 0x7f;

const EVERYWHERE = [LEGACY, ACCESS_LIST, DYNAMIC_FEE, SET_CODE];

const known: Record<Rules['family'], ReadonlySet<number>> = {
  ethereum: new Set([...EVERYWHERE, BLOB]),
  bsc: new Set([...EVERYWHERE, BLOB]),
  polygon: new Set([...EVERYWHERE, POLYGON_STATE_SYNC]),
  'op-stack': new Set([...EVERYWHERE, OP_POST_EXECUTION, OP_DEPOSIT]),
  arbitrum: new Set([
    ...EVERYWHERE,
    ARBITRUM_DEPOSIT,
    ARBITRUM_UNSIGNED,
    ARBITRUM_CONTRACT,
    ARBITRUM_RETRY,
    ARBITRUM_SUBMIT_RETRYABLE,
    ARBITRUM_INTERNAL,
    ARBITRUM_CLASSIC,
  ]),
};

/** Returns whether the fee rules of this family cover a type. */
export const isKnownType = (rules: Rules, type: number): boolean => known[rules.family].has(type);

/** Returns whether transactions of a type name a single price, which they pay unless another rule applies. */
export const hasSinglePrice = (type: number): boolean => type === LEGACY || type === ACCESS_LIST;

/** Returns the message about a transaction type that no fee rule covers. */
export const unknownTypeProblem = (type: number): string =>
  `no fee rule covers its type 0x${type.toString(16)}; if every endpoint reports it, this chain has forked: update Chain Insights`;

const unpaid: Partial<Record<Rules['family'], ReadonlySet<number>>> = {
  polygon: new Set([POLYGON_STATE_SYNC]),
  'op-stack': new Set([OP_POST_EXECUTION, OP_DEPOSIT]),
};

/** Returns whether transactions of a type pay nothing on this chain, whatever their receipts say. */
export const isUnpaid = (rules: Rules, type: number): boolean => unpaid[rules.family]?.has(type) ?? false;
