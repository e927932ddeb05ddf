import { type Chain, type ChainName, chainOf } from '../../core/chains/chains.ts';
import { coinAmount } from '../../core/figures/amounts.ts';
import { totalFees } from '../../core/figures/fee-parts.ts';
import { ProofError } from '../../core/proof/encoding/proof-error.ts';
import { proveRoot } from '../../core/proof/encoding/trie-root.ts';
import { decodeRawHeader } from '../../core/proof/header.ts';
import { type BlockBytes, hashedReceipts, proveRawBlock } from '../../core/proof/raw/prove-raw-block.ts';

/** A block of a real chain, as hex of the bytes that its hashes cover. */
export interface RecordedBlock {
  readonly chain: ChainName;
  readonly number: number;
  readonly hash: string;
  /** The sum of its fees in coins. */
  readonly fees: string;
  readonly header: string;
  readonly transactions: readonly string[];
  readonly receipts: readonly string[];
}

/** The parts of a block in which the visitor can change a byte. */
export const changes = {
  none: 'nothing',
  transaction: 'a transaction',
  receipt: 'a receipt',
  header: 'the header',
} as const;
export type Change = keyof typeof changes;

/** A step of the proof: done, refused with the reason, or not reached because one before it was refused. */
export interface Step {
  readonly title: string;
  readonly state: 'done' | 'refused' | 'skipped';
  readonly text: string;
}

/** Proves a block step by step, with the code that the service proves every block with. */
export function proveSteps(block: RecordedBlock, change: Change): readonly Step[] {
  const chain = chainOf(block.chain);
  const steps: Step[] = [];
  for (const [title, run] of Object.entries(stepsOf(chain, block, bytesOf(block, change)))) {
    if (steps.some(({ state }) => state !== 'done'))
      steps.push({ title, state: 'skipped', text: 'not reached' });
    else steps.push({ title, ...outcomeOf(run) });
  }
  return steps;
}

function outcomeOf(run: () => string): { state: 'done' | 'refused'; text: string } {
  try {
    return { state: 'done', text: run() };
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    return { state: 'refused', text: error.message };
  }
}

const count = (list: readonly unknown[], what: string) => `${list.length} ${what}`;

/** Each step returns what it has shown, or throws ProofError. */
function stepsOf(chain: Chain, block: RecordedBlock, bytes: BlockBytes): Record<string, () => string> {
  const header = () => decodeRawHeader(bytes.header);
  const proven = () => {
    const proof = proveRawBlock(chain, bytes);
    if ('refused' in proof) throw proof.refused;
    return proof;
  };
  return {
    Header: () => {
      const { hash } = header();
      if (hash !== block.hash)
        throw new ProofError('hash', `the header hashes to ${hash}, not to ${block.hash}`);
      return `Its ${bytes.header.length} bytes hash to ${hash}.`;
    },
    Transactions: () => {
      proveRoot('transactions', bytes.transactions, header().transactionsRoot);
      return `${count(bytes.transactions, 'transactions')} hash to the root in the header, so that none is left out or added.`;
    },
    Receipts: () => {
      proveRoot('receipts', hashedReceipts(chain, bytes.receipts), header().receiptsRoot);
      return `${count(bytes.receipts, 'receipts')} hash to the root in the header, so that the gas of each transaction is known.`;
    },
    Prices: () => {
      const { transactions } = proven().proven;
      return `The header and the transactions state what a unit of gas cost: the fees of ${count(transactions, 'transactions')} follow.`;
    },
    Sum: () => {
      const fees = coinAmount(totalFees(proven().sums.totals.fees));
      if (fees !== block.fees) throw new ProofError('fees', `${fees} are not ${block.fees}`);
      return `The fees of the block are ${fees} ${chain.coin}.`;
    },
  };
}

function bytesOf({ header, transactions, receipts }: RecordedBlock, change: Change): BlockBytes {
  return {
    header: bytesIn(header, change === 'header'),
    transactions: transactions.map((hex, index) => bytesIn(hex, change === 'transaction' && index === 0)),
    receipts: receipts.map((hex, index) => bytesIn(hex, change === 'receipt' && index === 0)),
  };
}

/** @param isChanged changes the lowest bit of the last byte */
function bytesIn(hex: string, isChanged: boolean): Uint8Array {
  const bytes = Uint8Array.from(hex.slice(2).match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
  const last = bytes.length - 1;
  if (isChanged) bytes[last] = (bytes[last] ?? 0) ^ 1;
  return bytes;
}
