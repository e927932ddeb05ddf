import { createHash } from 'node:crypto';
import type { Chain } from '../../../lambda/chains/chains.ts';
import { hexOf, receiptsOf, sample, transactionHash } from './receipts.ts';
import { MARKS, templateOf, type Values } from './template.ts';

/** The finalized block. It and a million blocks before it are there, all behind every fork, with numbers of eight hex digits. */
export const HEAD = 0x1b00_0000;
const HEAD_TIME = Date.parse('2026-11-20T00:00:00Z') / 1_000;

export const hashOf = (number: number): string =>
  `0x${createHash('sha256').update(`block ${number}`).digest('hex')}`;

/** What a node says of a chain of linked blocks with the same transactions, each answer as the bytes of its JSON. */
export interface CannedChain {
  readonly chainId: Buffer;
  readonly header: (number: number) => Buffer;
  readonly receipts: (number: number) => Buffer;
  /** @returns null's bytes where there is no such transaction */
  readonly receipt: (hash: string) => Buffer;
}

/** @param transactions of each block, one of the protocol among them where the family has such */
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
      const index = Number(hash.slice(0, -MARKS.digits.length));
      const number = Number(`0x${hash.slice(-MARKS.digits.length)}`);
      return fillReceipt[index]?.(valuesOf(number)) ?? Buffer.from('null');
    },
  };
}

const headerOf = (transactions: number) => ({
  ...sample.block,
  hash: MARKS.blockHash,
  number: `0x${MARKS.digits}`,
  parentHash: MARKS.parentHash,
  timestamp: MARKS.timestamp,
  transactions: Array.from({ length: transactions }, (_, index) => transactionHash(index)),
});

const valuesOf = (number: number): Values => ({
  blockHash: hashOf(number),
  parentHash: hashOf(number - 1),
  digits: number.toString(16),
  timestamp: hexOf(HEAD_TIME - (HEAD - number)),
});
