import { hashOf } from '#test/support/generators/blocks/builders.ts';
import type { Json } from '#test/support/generators/blocks/seal.ts';
import {
  isOneOf,
  isPaid,
  type Lie,
  type LieScene,
  pickPlace,
  placesOf,
  raised,
  usesGas,
  withPrice,
} from './lie-parts.ts';

const [NAMES_ONE_PRICE, NAMES_A_TIP] = [
  ['0x0', '0x1'],
  ['0x2', '0x3', '0x4'],
];
/** Types whose RLP has no input, or another one. */
const INPUT_NOT_HASHED = ['0x64', '0x69', '0x7f'];

/** Changes one transaction and its receipt, at a random place that fulfils a condition. */
export const atOne =
  (
    isFit: (transaction: Json, receipt: Json) => boolean,
    change: (transaction: Json, receipt: Json, scene: LieScene) => readonly [Json, Json],
  ): Lie =>
  (block, scene) => {
    const place = pickPlace(scene.random, placesOf(block, isFit));
    const [transaction, receipt] =
      place === undefined ? [] : [block.transactions[place], block.receipts[place]];
    if (place === undefined || !transaction || !receipt) return undefined;
    const [otherTransaction, otherReceipt] = change(transaction, receipt, scene);
    return {
      ...block,
      transactions: block.transactions.with(place, otherTransaction),
      receipts: block.receipts.with(place, otherReceipt),
    };
  };

const all = () => true;

/** Lies about one transaction and its receipt. */
export const transactionLies = {
  'gas-price-raised': atOne(
    (transaction) => isOneOf(transaction, NAMES_ONE_PRICE),
    (transaction, receipt) => [raised(transaction, 'gasPrice'), withPrice(receipt)],
  ),
  'tip-raised': atOne(
    (transaction) => isOneOf(transaction, NAMES_A_TIP),
    (transaction, receipt) => [raised(transaction, 'maxPriorityFeePerGas'), withPrice(receipt)],
  ),
  'max-fee-raised': atOne(
    (transaction) => isOneOf(transaction, NAMES_A_TIP),
    (transaction, receipt) => [raised(transaction, 'maxFeePerGas'), withPrice(receipt)],
  ),
  'receipt-price-raised': atOne(
    (transaction, receipt) => isPaid(transaction) && usesGas(receipt) && 'effectiveGasPrice' in receipt,
    (transaction, receipt) => [transaction, withPrice(receipt)],
  ),
  'blob-price-raised': atOne(
    ({ type }) => type === '0x3',
    (transaction, receipt) => [transaction, raised(receipt, 'blobGasPrice')],
  ),
  'blob-removed': atOne(
    ({ blobVersionedHashes }) => Array.isArray(blobVersionedHashes) && blobVersionedHashes.length > 1,
    (transaction, receipt) => [
      { ...transaction, blobVersionedHashes: (transaction.blobVersionedHashes as unknown[]).slice(1) },
      raised(receipt, 'blobGasUsed', -131_072n),
    ],
  ),
  'type-changed': atOne(all, (transaction, receipt, { random }) => {
    const types = ['0x0', '0x1', '0x2', '0x3', '0x4', '0x68', '0x69', '0x7e', '0x7f'];
    const type = random.pick(types.filter((one) => one !== transaction.type));
    return [random.chance(0.5) ? { ...transaction, type } : transaction, { ...receipt, type }];
  }),
  'deposit-disguised': atOne(
    ({ type, from }) => type === '0x7e' && !`${from}`.startsWith('0xdeaddead'),
    (transaction, receipt) => {
      const from = `0x${'deaddead'.repeat(4)}dead0001`;
      return [
        { ...transaction, from },
        { ...receipt, from },
      ];
    },
  ),
  'transaction-changed': atOne(
    (transaction) => !isOneOf(transaction, INPUT_NOT_HASHED),
    (transaction, receipt) => [{ ...transaction, input: `${transaction.input}00` }, receipt],
  ),
  'receipt-changed': atOne(all, (transaction, receipt, { name }) => {
    const log = { address: hashOf(name).slice(0, 42), topics: [], data: '0x' };
    return [transaction, { ...receipt, logs: [...(receipt.logs as Json[]), log] }];
  }),
} satisfies Record<string, Lie>;
