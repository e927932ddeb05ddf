import type { Chain } from '../../../core/chains/chains.ts';
import { loadKeccak } from '../../../core/proof/encoding/keccak.ts';
import { headerHash } from '../../../core/proof/header.ts';
import type { RpcHeader, RpcReceipt } from '../../../core/proof/json/rpc-types.ts';
import { blockOf, hexOf, type UnplacedBlock } from './block.ts';
import { cannedRaw } from './raw.ts';
import { PLACEHOLDERS, templateOf, type Values } from './template.ts';

/** The finalized block, after every fork. The numbers of its ancestors also have eight hex digits. */
export const HEAD = 0x1b00_0000;
const HEAD_TIME = Date.parse('2026-11-20T00:00:00Z') / 1_000;
/** Each is hashed when the node starts. */
const ANCESTORS = 4_000;

/** A chain of linked blocks with the same transactions. Each function returns the JSON of a node's result. */
export interface CannedChain {
  readonly chainId: Buffer;
  readonly block: (number: number, transactions: 'full' | 'hashes') => Buffer;
  readonly receipts: (number: number) => Buffer;
  readonly rawBlock: (number: number) => Buffer;
  readonly rawReceipts: Buffer;
  /** Returns a receipt of the head, or `null` in JSON when the transaction is unknown. */
  readonly receipt: (hash: string) => Buffer;
}

/** @param transactions number per block, including a protocol transaction in some families */
export async function cannedChain(chain: Chain, transactions: number): Promise<CannedChain> {
  await loadKeccak();
  const block = blockOf(chain, transactions, HEAD_TIME);
  const valuesOf = valuesOfChain(block.header);
  const full = block.transactions.map((transaction, index) => ({ ...transaction, ...placeOf(index) }));
  const receipts = block.receipts.map((receipt, index) => JSON.stringify(placedReceipt(receipt, index)));
  const hashes = block.transactions.map(({ hash }) => hash);
  const fillBlock = {
    full: templateOf(JSON.stringify({ ...placedHeader(block), transactions: full })),
    hashes: templateOf(JSON.stringify({ ...placedHeader(block), transactions: hashes })),
  };
  const fillReceipts = templateOf(`[${receipts.join(',')}]`);
  const raw = cannedRaw(chain, block, valuesOf(HEAD));
  const fillReceipt = new Map(receipts.map((receipt, index) => [hashes[index], templateOf(receipt)]));
  return {
    chainId: Buffer.from(`"${hexOf(chain.id)}"`),
    block: (number, transactions) => fillBlock[transactions](valuesOf(number)),
    receipts: (number) => fillReceipts(valuesOf(number)),
    rawBlock: (number) => raw.block(valuesOf(number)),
    rawReceipts: raw.receipts,
    receipt: (hash) => fillReceipt.get(hash)?.(valuesOf(HEAD)) ?? Buffer.from('null'),
  };
}

const placedHeader = ({ header }: UnplacedBlock) => ({
  ...header,
  hash: PLACEHOLDERS.blockHash,
  number: PLACEHOLDERS.number,
  parentHash: PLACEHOLDERS.parentHash,
  timestamp: PLACEHOLDERS.timestamp,
});

const placeOf = (index: number) => ({
  blockHash: PLACEHOLDERS.blockHash,
  blockNumber: PLACEHOLDERS.number,
  transactionIndex: hexOf(index),
});

function placedReceipt({ logs, ...receipt }: RpcReceipt, index: number): object {
  const { transactionHash } = receipt;
  const place = { ...placeOf(index), transactionHash };
  const placedLogs = logs.map((log) => ({ ...log, ...place, blockTimestamp: PLACEHOLDERS.timestamp }));
  return { ...receipt, ...place, logs: placedLogs };
}

/** Hashes a chain of blocks that differ in number, parent and timestamp alone. */
function valuesOfChain(header: RpcHeader): (number: number) => Values {
  const values: Values[] = [];
  let parentHash = header.parentHash;
  for (let number = HEAD - ANCESTORS; number <= HEAD; number++) {
    const place = { number: hexOf(number), parentHash, timestamp: hexOf(HEAD_TIME - (HEAD - number)) };
    const blockHash = headerHash({ ...header, ...place });
    values.push({ ...place, blockHash });
    parentHash = blockHash;
  }
  return (number) => {
    const known = values[number - HEAD + ANCESTORS];
    if (!known) throw new Error(`The canned node has no block ${number}, only ${ANCESTORS} before ${HEAD}.`);
    return known;
  };
}
