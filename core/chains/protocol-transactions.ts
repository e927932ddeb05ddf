import type { Rules } from './rule-types.ts';
import { ARBITRUM_INTERNAL, OP_DEPOSIT, POLYGON_STATE_SYNC } from './transaction-types.ts';

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
// https://specs.optimism.io/protocol/deposits.html#l1-attributes-depositor-account
export const L1_ATTRIBUTES_DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001';
// https://specs.optimism.io/protocol: derivation of Ecotone, Fjord, Isthmus, Jovian and later. No one has the keys of these accounts.
const UPGRADE_DEPLOYERS = [...'01234567'].map((last) => `0x4210${last.padStart(36, '0')}`);
const EIP_4788_DEPLOYER = '0x0b799c86a49deeb90402691f1041aa3af2d3c875';
const EIP_2935_DEPLOYER = '0x3462413af4609098e1e27a490f554f260213d685';

/** The senders of the deposits by which the OP stack itself reports L1's state and upgrades its contracts. */
export const OP_PROTOCOL_SENDERS: ReadonlySet<string> = new Set([
  L1_ATTRIBUTES_DEPOSITOR,
  ZERO_ADDRESS,
  ...UPGRADE_DEPLOYERS,
  EIP_4788_DEPLOYER,
  EIP_2935_DEPLOYER,
]);

/** The facts that distinguish a protocol transaction from a user's. Addresses are in lower case. */
export interface TransactionFacts {
  readonly type: number;
  readonly to?: string | null | undefined;
  /** The most that it offers for a unit of gas, in wei: `gasPrice` or `maxFeePerGas`. */
  readonly feeCap: () => bigint;
  /** Called only if the rule needs it, because recovering the signer of a transaction takes about a millisecond. */
  readonly sender: () => string;
  /** Called like `sender`. */
  readonly miner: () => string;
}

/**
 * Returns whether the protocol itself put a transaction into the block, rather than a user.
 * Such transactions count like all others, and are also counted separately.
 */
export function isProtocolTransaction(rules: Rules, transaction: TransactionFacts): boolean {
  const { type, to, feeCap, sender, miner } = transaction;
  switch (rules.family) {
    case 'ethereum':
      return false;
    case 'arbitrum':
      return type === ARBITRUM_INTERNAL;
    case 'polygon':
      return type === POLYGON_STATE_SYNC;
    case 'op-stack':
      // Users' own deposits have the same type; they are user transactions.
      return type === OP_DEPOSIT && OP_PROTOCOL_SENDERS.has(sender());
    case 'bsc':
      // https://github.com/bnb-chain/bsc consensus/parlia/parlia.go, IsSystemTransaction: the fee cap is 0, not
      // just the price paid. A price of 0 is not enough, because validators may include such calls of users.
      return (
        typeof to === 'string' && rules.systemContracts.has(to) && feeCap() === 0n && sender() === miner()
      );
  }
}

/** Returns whether the rule depends on a transaction's receiver. */
export const dependsOnReceiver = ({ family }: Rules): boolean => family === 'bsc';

/**
 * Returns whether a transaction looks like Polygon's delivery of L1 state before block 80,084,800: a synthetic transaction from the
 * zero address, for which nobody can have signed.
 */
export const isSyntheticStateSync = (from: string, to: string | null | undefined, gasUsed: bigint): boolean =>
  from === ZERO_ADDRESS && to === ZERO_ADDRESS && gasUsed === 0n;

/**
 * Returns whether a block may list Polygon's synthetic state-sync transaction: bor delivers L1 state where a sprint begins,
 * https://github.com/0xPolygon/bor consensus/bor/bor.go, Finalize and IsSprintStart. No root covers it, so elsewhere it is invented.
 */
export function mayListStateSync(rules: Rules, number: number): boolean {
  if (rules.family !== 'polygon' || number >= rules.stateSyncTypeFrom) return false;
  const sprint = rules.sprints.findLast(({ from }) => number >= from);
  return sprint !== undefined && number > 0 && number % sprint.length === 0;
}
