import type { Chain } from '#core/chains/chains.ts';
import { mayListStateSync } from '#core/chains/protocol-transactions.ts';
import { bloomOf } from '#core/proof/encoding/bloom.ts';
import { addressOf, hashOf } from '#test/support/generators/blocks/builders.ts';
import { hex, type Json, type RawBlock, sealBlock } from '#test/support/generators/blocks/seal.ts';
import type { Random } from './random.ts';
import { EMPTY_ROOT, headerFields, randomBloom } from './random-header.ts';
import type { L1Attributes } from './random-l1.ts';
import type { BlockPlace } from './random-place.ts';
import { address, type RandomTransaction, randomHash, several } from './random-transactions.ts';

/** A block as a node has it, with what faults need to know of it. */
export interface RandomBlock extends RawBlock {
  /**
   * The receipt of Polygon's pseudo-transaction, if the block has one: nodes list it or not. The body lists its transaction if
   * the last hash is that of this receipt.
   */
  readonly stateSync?: Json | undefined;
  /** Only of OP stack blocks since Bedrock. */
  readonly l1?: L1Attributes | undefined;
}

const ZERO_ADDRESS = address('0');

/** @param transactions those of the body, without Polygon's pseudo-transaction */
export function randomBlock(
  chain: Chain,
  random: Random,
  place: BlockPlace,
  parentHash: string,
  transactions: readonly RandomTransaction[],
  l1?: L1Attributes,
): RandomBlock {
  const blobGas = transactions.reduce((sum, { fields }) => sum + (fields.blobGasUsed ?? 0n), 0n);
  const unsealed = {
    header: {
      ...headerFields(chain.rules, random, place, blobGas),
      parentHash,
      // Only stays where blocks do not hash to their hash.
      transactionsRoot: transactions.length === 0 ? EMPTY_ROOT : randomHash(random),
    },
    transactions: transactions.map(({ json }) => json),
    receipts: transactions.map((transaction) => receiptOf(random, place, transaction)),
  };
  const hasStateSync = mayListStateSync(chain.rules, place.number) && random.chance(0.8);
  return hasStateSync
    ? withStateSync(chain, random, unsealed)
    : { ...sealBlock(chain, unsealed), ...(l1 && { l1 }) };
}

function receiptOf(random: Random, place: BlockPlace, transaction: RandomTransaction): Json {
  const { json, succeeded, isPriceInReceipt, fields } = transaction;
  const isCreation = json.to === null;
  const scheduled = transaction.schedules === undefined ? [] : [redeemLog(random, transaction.schedules)];
  const logs = succeeded ? [...randomLogs(random), ...scheduled, ...randomLogs(random)] : [];
  return {
    // Stays where blocks do not hash to their hash.
    transactionHash: json.hash,
    type: json.type,
    from: json.from,
    to: json.to,
    contractAddress: isCreation ? addressOf(`${json.hash}`) : null,
    gasUsed: hex(transaction.gasUsed),
    ...(isPriceInReceipt && { effectiveGasPrice: hex(transaction.price) }),
    ...Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [field, value === null ? null : hex(value)]),
    ),
    ...(place.isOld ? { root: randomHash(random) } : { status: hex(Number(succeeded)) }),
    logs,
    logsBloom: bloomOf(logs),
  };
}

const randomLogs = (random: Random) =>
  several(random.below(3), () => ({
    address: addressOf(`${random.below(100)}`),
    topics: several(random.below(5), () => randomHash(random)),
    data: random.pick(['0x', '0x05', `0x${'00ff'.repeat(30)}`]),
    logIndex: hex(random.below(9)),
  }));

/** `RedeemScheduled` of https://github.com/OffchainLabs/nitro precompiles/ArbRetryableTx.go, with four more words. */
const redeemLog = (random: Random, hash: string) => ({
  address: address('6e'),
  topics: [
    '0x5ccd009502509cf28762c67858994d85b163bb6e451f5e9df7c5e18c9c2e123e',
    ...[randomHash(random), hash, randomHash(random)],
  ],
  data: `0x${'00'.repeat(4 * 32)}`,
  logIndex: hex(random.below(9)),
});

type Unsealed = Parameters<typeof sealBlock>[1];

/** Adds Polygon's state-sync pseudo-transaction, listed in body and receipts, in one of them, or in neither. */
function withStateSync(chain: Chain, random: Random, unsealed: Unsealed): RandomBlock {
  const zero = { from: ZERO_ADDRESS, to: ZERO_ADDRESS, type: '0x0' };
  const transaction = {
    ...zero,
    hash: hashOf('replaced'),
    gas: '0x0',
    gasPrice: '0x0',
    nonce: '0x0',
    value: '0x0',
    input: '0x',
    v: '0x0',
    r: '0x0',
    s: '0x0',
  };
  const receipt = {
    ...zero,
    contractAddress: null,
    gasUsed: '0x0',
    cumulativeGasUsed: random.chance(0.5) ? '0x0' : hex(random.below(1_000_000)),
    ...(random.chance(0.5) && { effectiveGasPrice: '0x0' }),
    status: '0x1',
    logs: randomLogs(random),
    logsBloom: randomBloom(random),
  };
  const { header, transactions, receipts } = sealBlock(chain, {
    ...unsealed,
    transactions: [...unsealed.transactions, transaction],
    receipts: [...unsealed.receipts, receipt],
  });
  return {
    header,
    transactions: random.chance(0.5) ? transactions : transactions.slice(0, -1),
    receipts: random.chance(0.5) ? receipts : receipts.slice(0, -1),
    stateSync: receipts.at(-1),
  };
}

/** Returns whether the body lists Polygon's pseudo-transaction. */
export const isInBody = ({ transactions, stateSync }: RandomBlock): boolean =>
  stateSync !== undefined && transactions.at(-1)?.hash === stateSync.transactionHash;
