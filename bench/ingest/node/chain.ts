import { createHash } from 'node:crypto';
import type { Chain } from '../../../lambda/chains/chains.ts';
import { hexOf, receiptsOf, sample, transactionHash } from './receipts.ts';
import { PLACEHOLDERS, templateOf, type Values } from './template.ts';

/** The finalized block, after every fork. It has a million ancestors, whose numbers also have eight hex digits. */
export const HEAD = 0x1b00_0000;
const HEAD_TIME = Date.parse('2026-11-20T00:00:00Z') / 1_000;

export const hashOf = (number: number): string =>
  `0x${createHash('sha256').update(`block ${number}`).digest('hex')}`;

/** A chain of linked blocks with the same transactions. Each function returns the JSON of a node's result. */
export interface CannedChain {
  readonly chainId: Buffer;
  readonly header: (number: number) => Buffer;
  readonly receipts: (number: number) => Buffer;
  /** @returns `null` in JSON when the transaction is unknown */
  readonly receipt: (hash: string) => Buffer;
}

/** @param transactions number per block, including a protocol transaction in some families */
export function cannedChain({ id, rules }: Chain, transactions: number): CannedChain {
  const receipts = receiptsOf(rules, transactions).map((receipt) => JSON.stringify(receipt));
  const fillHeader = templateOf(JSON.stringify(headerOf(transactions)));
  const fillReceipts = templateOf(`[${receipts.join(',')}]`);
  const fillReceipt = receipts.map(templateOf);
  return {
    chainId: Buffer.from(`"${hexOf(id)}"`),
    header: (number) => fillHeader(valuesOf(number)),
    receipts: (number) => fillReceipts(valuesOf(number)),
    receipt: (hash) => {
      const index = Number(hash.slice(0, -PLACEHOLDERS.digits.length));
      const number = Number(`0x${hash.slice(-PLACEHOLDERS.digits.length)}`);
      return fillReceipt[index]?.(valuesOf(number)) ?? Buffer.from('null');
    },
  };
}

const headerOf = (transactions: number) => ({
  ...sample.block,
  hash: PLACEHOLDERS.blockHash,
  number: `0x${PLACEHOLDERS.digits}`,
  parentHash: PLACEHOLDERS.parentHash,
  timestamp: PLACEHOLDERS.timestamp,
  transactions: Array.from({ length: transactions }, (_, index) => transactionHash(index)),
});

const valuesOf = (number: number): Values => ({
  blockHash: hashOf(number),
  parentHash: hashOf(number - 1),
  digits: number.toString(16),
  timestamp: hexOf(HEAD_TIME - (HEAD - number)),
});
