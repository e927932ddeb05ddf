import { bytesOf, rawAnswersOf } from '#test/support/generators/blocks/block-bytes.ts';
import { fullBlockFolders, readFullBlock } from '#test/support/generators/blocks/full-blocks.ts';
import {
  blockResponse,
  hex,
  type Json,
  type RawBlock,
  sealBlock,
} from '#test/support/generators/blocks/seal.ts';
import { GAS_TARGETS } from '#test/support/generators/random/random-header.ts';
import type { NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';
import type { Chain } from '../../core/chains/chains.ts';
import type { Rules } from '../../core/chains/rule-types.ts';
import { bloomOf } from '../../core/proof/encoding/bloom.ts';
import { readTransactions } from '../../core/proof/fields/read-transactions.ts';
import { hashTransactions } from '../../core/proof/fields/transactions.ts';
import { headerHash } from '../../core/proof/header.ts';
import { decodeBlock, decodeHeader } from '../../core/proof/json/decode-block.ts';
import { l1PricesOf } from '../../core/proof/prices/l1-fee.ts';
import type { BlockBytes } from '../../core/proof/raw/prove-raw-block.ts';
import familiesJson from './families.json' with { type: 'json' };

/** The finalized block, after every fork. No other member of a block contains its digits, or those of its time. */
export const HEAD = 0x1b7d_53a9;
const HEAD_TIME = Date.parse('2026-11-20T00:00:07Z') / 1_000;
/** Each is hashed when the node starts. */
const ANCESTORS = 1_000;

/** Differences of a family's blocks from the sample, taken from a real block, or made where no free one is known. */
interface Family {
  readonly header: Json;
  /** A transaction of the protocol, which begins each block, and its receipt. */
  readonly transaction: Json;
  readonly receipt: Json;
  /** Members of all other receipts. */
  readonly receiptFields: Json;
}
const families: Partial<Record<Rules['family'], Family>> = familiesJson;

/** 157 transactions in 655 KB. */
const sample = readFullBlock(fullBlockFolders.large, 'ETHEREUM-18500000.json.gz');
const { transactions: samples, ...sampleHeader } = sample.block as Json & { readonly transactions: Json[] };
const sampleReceipts = sample.receipts as (Json & { readonly logs: Log[] })[];
/** Transactions of the sample: an Ethereum block with this number has its roots. */
export const TRANSACTIONS = samples.length;

interface Log {
  readonly address: string;
  readonly topics: readonly string[];
}

interface Place {
  readonly number: string;
  readonly parentHash: string;
  readonly timestamp: string;
}

const repeat = (values: readonly Json[], count: number): readonly Json[] =>
  Array.from({ length: count }, (_, index) => values[index % values.length] as Json);

/** Returns a block with the repeated transactions of the sample, after the family's protocol transaction. */
function sampleBlock(chain: Chain, count: number, place: Place, receipts: readonly Json[] = sampleReceipts) {
  const family = families[chain.rules.family];
  const polygon = chain.rules.family === 'polygon' && { extraData: GAS_TARGETS };
  const users = repeat(receipts, family ? count - 1 : count);
  const block = sealBlock(chain, {
    header: { ...sampleHeader, ...family?.header, ...polygon, ...place },
    transactions: [...(family ? [family.transaction] : []), ...repeat(samples, users.length)],
    receipts: [
      ...(family ? [family.receipt] : []),
      ...users.map((receipt) => ({ ...receipt, ...family?.receiptFields })),
    ],
  });
  const decoded = decodeBlock(structuredClone(blockResponse(block, true)));
  const payloads = hashTransactions(chain, decoded.transactions).map(({ payload }) => payload);
  const [first] = readTransactions(chain, payloads);
  const l1 = l1PricesOf(chain.rules, decoded, first);
  if (!l1) return block;
  const fees = payloads.map((payload) => hex(l1.l1Fee(payload)));
  return { ...block, receipts: block.receipts.map((one, index) => ({ l1Fee: fees[index], ...one })) };
}

/** Returns linked blocks with the transactions of the sample. @param first number of the first */
export function sampleBlocks(chain: Chain, first: number, count: number): readonly BlockBytes[] {
  let parentHash = String(sampleHeader.parentHash);
  return Array.from({ length: count }, (_, index) => {
    const place = { number: hex(first + index), parentHash, timestamp: hex(HEAD_TIME + 12 * index) };
    const block = sampleBlock(chain, TRANSACTIONS, place, ownReceipts(index));
    parentHash = block.header.hash;
    return bytesOf(chain, block);
  });
}

/** Returns the receipts of the sample with addresses and topics of their own, so that no block takes remembered blooms of another. */
function ownReceipts(index: number): readonly Json[] {
  const own = (value: string) => `0x${(index + 1).toString(16).padStart(8, '0')}${value.slice(10)}`;
  return sampleReceipts.map((receipt) => {
    const logs = receipt.logs.map((log) => ({
      ...log,
      address: own(log.address),
      topics: log.topics.map(own),
    }));
    return { ...receipt, logs, logsBloom: bloomOf(logs) };
  });
}

/** Prepares the answers of a node with linked blocks of as many transactions each, including those of the protocol. */
export async function cannedAnswers(chain: Chain, transactions: number, isRaw: boolean): Promise<NodeAnswer> {
  const parentHash = String(sampleHeader.parentHash);
  const head = sampleBlock(chain, transactions, { number: hex(HEAD), parentHash, timestamp: hex(HEAD_TIME) });
  const places = placesOf(head);
  const placed = (result: unknown) => {
    const fill = templateOf(result, head.header);
    return (at: unknown): Buffer => {
      const place = places[at === 'finalized' ? ANCESTORS : Number(at) - HEAD + ANCESTORS];
      if (!place) throw new Error(`The canned node has no block ${at}, only ${ANCESTORS} before ${HEAD}.`);
      return fill(place);
    };
  };
  const [full, hashes] = [placed(blockResponse(head, true)), placed(blockResponse(head, false))];
  const raw = rawAnswersOf(chain, { ...head.header, transactions: head.transactions }, head.receipts);
  const results: Readonly<Record<string, (at: unknown, isFull: unknown) => Buffer>> = {
    eth_chainId: () => Buffer.from(`"${hex(chain.id)}"`),
    eth_getBlockByNumber: (at, isFull) => (isFull === true ? full : hashes)(at),
    eth_getBlockReceipts: placed(head.receipts),
    ...(isRaw && { debug_getRawBlock: placed(raw.block), debug_getRawReceipts: placed(raw.receipts) }),
  };
  return ({ id, method, params: [at, isFull] }) => {
    const result = results[method]?.(at, isFull);
    if (!result) return { error: { code: -32_601, message: 'the method does not exist' } };
    const begin = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`);
    const body = Buffer.concat([begin, result, Buffer.from('}')]);
    return { status: 200, body, headers: { 'content-length': String(body.length) } };
  };
}

/** Hashes a chain of blocks that differ in number, parent and timestamp alone. */
function placesOf(head: RawBlock) {
  const header = decodeHeader(structuredClone(head.header));
  let { parentHash } = header;
  return Array.from({ length: ANCESTORS + 1 }, (_, index) => {
    const back = ANCESTORS - index;
    const place = { number: hex(HEAD - back), parentHash, timestamp: hex(HEAD_TIME - back) };
    parentHash = headerHash({ ...header, ...place });
    return { ...place, hash: parentHash };
  });
}

/** Prepares JSON in which only the place of the block changes, which always has the same length: 650 KB are then ready in 0.2 ms. */
function templateOf(result: unknown, head: Place & { readonly hash: string }) {
  const bytes = Buffer.from(JSON.stringify(result), 'latin1');
  const spots = (['number', 'parentHash', 'timestamp', 'hash'] as const).flatMap((name) =>
    [...bytes.toString('latin1').matchAll(new RegExp(head[name].slice(2), 'g'))].map(({ index }) => ({
      name,
      index,
    })),
  );
  return (place: typeof head): Buffer => {
    const filled = Buffer.from(bytes);
    for (const { name, index } of spots) filled.write(place[name].slice(2), index, 'latin1');
    return filled;
  };
}
