import type { Rules } from '../../chains/rule-types.ts';
import { ARBITRUM_RETRY } from '../../chains/transaction-types.ts';
import { isSameHex } from '../encoding/hex.ts';
import { inElement, ProofError, present } from '../encoding/proof-error.ts';
import type { Log } from '../json/rpc-types.ts';
import type { ProvenTransaction } from './prices.ts';

/*
 * Arbitrum runs the redeem of a retryable in the block of the transaction that scheduled it: a submission, a call by hand, or another
 * redeem. That transaction's gas used contains the whole gas limit of the redeem, and it gets back what the redeem does not use.
 * https://github.com/OffchainLabs/nitro arbos/tx_processor.go, and `Redeem` in precompiles/ArbRetryableTx.go
 */

/** The precompile ArbRetryableTx. */
const ARB_RETRYABLE_TX = `0x${'6e'.padStart(40, '0')}`;
/** `RedeemScheduled(bytes32 indexed ticketId, bytes32 indexed retryTxHash, uint64 indexed sequenceNum, …)` */
const REDEEM_SCHEDULED = '0x5ccd009502509cf28762c67858994d85b163bb6e451f5e9df7c5e18c9c2e123e';

/** Returns the contract whose logs decide fees, or undefined on chains without one. */
export const feeLogAddress = ({ family }: Rules): string | undefined =>
  family === 'arbitrum' ? ARB_RETRYABLE_TX : undefined;

/** The parts of a block in which its redeems are found, by the index of a transaction. */
interface RedeemSources {
  /** Called only for redeems, like `limitOf`. */
  readonly hashOf: (index: number) => string;
  /** Gas. */
  readonly limitOf: (index: number) => string | bigint | null | undefined;
  /** The logs of its receipt. Called only if the block has a redeem. */
  readonly logsOf: (index: number) => readonly Log[];
  /** The header's, in wei per gas. */
  readonly baseFee: bigint | undefined;
}

/**
 * Subtracts the gas limit of each redeem, at the base fee, from the fees of the transaction that scheduled it.
 * @throws ProofError when no earlier log names a redeem, or the fees would become negative
 */
export function withoutDonatedGas(
  { family }: Rules,
  transactions: readonly ProvenTransaction[],
  { hashOf, limitOf, logsOf, baseFee }: RedeemSources,
): readonly ProvenTransaction[] {
  if (family !== 'arbitrum' || !transactions.some(isRedeem)) return transactions;
  const net = [...transactions];
  const payers = new Map<string, number>();
  for (const [index, transaction] of transactions.entries()) {
    if (isRedeem(transaction)) {
      inElement('transactions', index, () => {
        const payer = payers.get(hashOf(index).toLowerCase());
        if (payer === undefined) throw new ProofError('', 'no log before it schedules this redeem');
        const donated = BigInt(present('gas', limitOf(index))) * present('baseFeePerGas', baseFee);
        net[payer] = withoutDonation(net[payer] as ProvenTransaction, donated);
      });
    }
    for (const hash of scheduledIn(logsOf(index))) payers.set(hash, index);
  }
  return net;
}

const isRedeem = ({ type }: ProvenTransaction): boolean => type === ARBITRUM_RETRY;

function withoutDonation({ fees, ...rest }: ProvenTransaction, donated: bigint): ProvenTransaction {
  const execution = fees.execution - donated;
  if (execution < 0n)
    throw new ProofError('gas', 'it is more than the gas of the transaction that donated it');
  return { ...rest, fees: { ...fees, execution, retryableDoubleCount: fees.retryableDoubleCount + donated } };
}

/** Lists the hashes of the redeems that logs schedule. */
const scheduledIn = (logs: readonly Log[]): readonly string[] =>
  logs.flatMap(({ address, topics: [kind = '', , hash] }) =>
    hash && isSameHex(address, ARB_RETRYABLE_TX) && isSameHex(kind, REDEEM_SCHEDULED)
      ? [hash.toLowerCase()]
      : [],
  );
