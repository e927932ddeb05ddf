import { hashOf } from './builders.ts';
import { type Alteration, type Scene, without } from './fault-scene.ts';
import { hex, type Json, ZERO_ADDRESS } from './random-block.ts';
import { respell } from './spelling.ts';

/** Receipts as nodes return them; some return null entries. */
export type Receipts = readonly (Json | null)[];

const NEEDED = [
  'transactionHash',
  'transactionIndex',
  'blockHash',
  'blockNumber',
  'type',
  'from',
  'cumulativeGasUsed',
];
const NAMES_ONE_PRICE = ['0x0', '0x1'];
const UNPAID = ['0x7d', '0x7e', '0x7f'];

/** Ordered so that no fault undoes an earlier one. */
export const receiptAlterations = {
  /** Harmless: nodes differ about Polygon's synthetic receipt. */
  'state-sync-receipt': (receipts, { block: { stateSync, receipts: right } }) => {
    if (!stateSync || receipts !== right) return undefined;
    return right.includes(stateSync) ? right.filter((one) => one !== stateSync) : [...right, stateSync];
  },
  'last-dropped': (receipts) => {
    const last = receipts.findLastIndex(isOrdinary);
    return receipts.filter((_, index) => index !== last);
  },
  'first-dropped': (receipts) => {
    const first = receipts.findIndex(isOrdinary);
    return receipts.filter((_, index) => index !== first);
  },
  swapped: (receipts, { random }) => {
    const at = random.below(Math.max(1, receipts.filter(isOrdinary).length - 1));
    const [one, other] = receipts.slice(at, at + 2);
    return one && other && isOrdinary(other) ? receipts.toSpliced(at, 2, other, one) : undefined;
  },
  duplicated: atOne(all, (receipt) => [receipt, receipt]),
  'null-inside': atOne(all, () => [null]),
  'receipt-field-missing': atOne(all, (receipt, { random }) => [without(receipt, random.pick(NEEDED))]),
  'gas-used-null': atOne(all, (receipt) => [{ ...receipt, gasUsed: null }]),
  'wrong-block-hash': atOne(has('blockHash'), (receipt, { name }) => [
    { ...receipt, blockHash: hashOf(`${name} on ${receipt.blockHash}`) },
  ]),
  'wrong-block-number': atOne(has('blockNumber'), plusOne('blockNumber')),
  'wrong-index': atOne(has('transactionIndex'), plusOne('transactionIndex')),
  // It may have any value for Polygon's state-sync transactions.
  'broken-cumulative': atOne(
    (receipt) => receipt.type !== '0x7f' && has('cumulativeGasUsed')(receipt),
    plusOne('cumulativeGasUsed'),
  ),
  'price-missing': atOne(
    (receipt) =>
      has('type', 'effectiveGasPrice')(receipt) &&
      !isOneOf(receipt, NAMES_ONE_PRICE) &&
      !isOneOf(receipt, UNPAID),
    (receipt) => [without(receipt, 'effectiveGasPrice')],
  ),
  /** On Arbitrum, the price of a transaction is a bid, above the price that it pays. */
  'paid-price-missing': atOne(
    (receipt, scene) => mayLackPrice(receipt) && isArbitrum(scene),
    (receipt) => [without(receipt, 'effectiveGasPrice')],
  ),
  /** Harmless: elsewhere, a legacy or access-list transaction pays its own price. */
  'price-in-transaction': atOne(
    (receipt, scene) => mayLackPrice(receipt) && !isArbitrum(scene),
    (receipt) => [without(receipt, 'effectiveGasPrice')],
  ),
  'l1-fee-missing': atOne(
    (receipt) => 'l1Fee' in receipt && !isOneOf(receipt, UNPAID),
    (receipt) => [without(receipt, 'l1Fee')],
  ),
  // Without both, no check can find that there was a fee.
  'operator-fee-halved': atOne(
    (receipt) => has('operatorFeeScalar', 'operatorFeeConstant')(receipt) && !isOneOf(receipt, UNPAID),
    (receipt, { random }) => [without(receipt, random.pick(['operatorFeeScalar', 'operatorFeeConstant']))],
  ),
  'blob-fee-missing': atOne(
    (receipt) => receipt.type === '0x3',
    (receipt, { random }) => [without(receipt, random.pick(['blobGasUsed', 'blobGasPrice']))],
  ),
  'unknown-type': atOne(has('type'), (receipt) => [{ ...receipt, type: '0x42' }]),
  /** Harmless. */
  spelling: (receipts, { random }) => receipts.map((receipt) => receipt && respell(receipt, random)),
} satisfies Record<string, Alteration<Receipts>>;

/** Replaces one of the receipts that a fault applies to. */
function atOne(
  befalls: (receipt: Json, scene: Scene) => boolean,
  others: (receipt: Json, scene: Scene) => Receipts,
): Alteration<Receipts> {
  return (receipts, scene) => {
    const places = receipts.flatMap((receipt, index) =>
      receipt && isOrdinary(receipt) && befalls(receipt, scene) ? [index] : [],
    );
    if (places.length === 0) return undefined;
    const place = scene.random.pick(places);
    return receipts.flatMap((receipt, index) =>
      receipt && index === place ? others(receipt, scene) : [receipt],
    );
  };
}

/** Excludes Polygon's synthetic receipt, which must never invalidate a block. */
const isOrdinary = (receipt: Json | null) =>
  !(
    receipt?.type === '0x0' &&
    receipt.from === ZERO_ADDRESS &&
    receipt.to === ZERO_ADDRESS &&
    receipt.gasUsed === '0x0'
  );

function all(): boolean {
  return true;
}

function has(...fields: readonly string[]) {
  return (receipt: Json) => fields.every((field) => field in receipt);
}

function plusOne(field: string) {
  return (receipt: Json) => [{ ...receipt, [field]: hex(BigInt(`${receipt[field]}`) + 1n) }];
}

const isOneOf = ({ type }: Json, types: readonly string[]) => types.some((one) => one === type);

const mayLackPrice = (receipt: Json) => isOneOf(receipt, NAMES_ONE_PRICE) && 'effectiveGasPrice' in receipt;

const isArbitrum = ({ world }: Scene) => world.chain.rules.family === 'arbitrum';
