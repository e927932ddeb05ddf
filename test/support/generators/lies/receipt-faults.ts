import { hashOf } from '#test/support/generators/blocks/builders.ts';
import { hex, type Json } from '#test/support/generators/blocks/seal.ts';
import { respell } from '#test/support/generators/blocks/spelling.ts';
import { address } from '#test/support/generators/random/random-transactions.ts';
import { type Alteration, isProvable, type Scene, without } from '#test/support/nodes/fault-scene.ts';

/** Receipts as nodes return them; some return null entries. */
export type Receipts = readonly (Json | null)[];

/** Members that no root covers. */
const PLACE = ['transactionIndex', 'blockHash', 'blockNumber', 'type', 'from'];
const OPERATOR_FEE = ['operatorFeeScalar', 'operatorFeeConstant'];

/** Ordered so that no fault undoes an earlier one. */
export const receiptAlterations = {
  /** Harmless: nodes differ about the receipt of Polygon's pseudo-transaction. */
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
  'receipt-field-missing': atOne(has('transactionHash', 'cumulativeGasUsed'), (receipt, { random }) => [
    without(receipt, random.pick(['transactionHash', 'cumulativeGasUsed'])),
  ]),
  'receipt-logs-missing': atOne(isProvenIn, (receipt, { random }) => [
    without(receipt, random.pick(['logs', 'logsBloom'])),
  ]),
  'status-changed': atOne(
    (receipt, scene) => isProvenIn(receipt, scene) && has('status')(receipt),
    (receipt) => [{ ...receipt, status: receipt.status === '0x1' ? '0x0' : '0x1' }],
  ),
  // It may have any value for Polygon's state-sync transactions, where they are not proven.
  'broken-cumulative': atOne(has('cumulativeGasUsed'), plusOne('cumulativeGasUsed')),
  /** The next ones are harmless where a block is proven. */
  'receipt-place-missing': atOne(all, (receipt, { random }) => [without(receipt, random.pick(PLACE))]),
  'gas-used-missing': atOne(has('gasUsed'), (receipt, { random }) => [
    random.chance(0.5) ? { ...receipt, gasUsed: null } : without(receipt, 'gasUsed'),
  ]),
  'wrong-block-hash': atOne(has('blockHash'), (receipt, { name }) => [
    { ...receipt, blockHash: hashOf(`${name} on ${receipt.blockHash}`) },
  ]),
  'wrong-block-number': atOne(has('blockNumber'), plusOne('blockNumber')),
  'wrong-index': atOne(has('transactionIndex'), plusOne('transactionIndex')),
  'price-missing': atOne(has('effectiveGasPrice'), (receipt) => [without(receipt, 'effectiveGasPrice')]),
  // A node that has lost it from before Bedrock answers null, which is honest only where nothing was paid.
  'l1-fee-missing': atOne(has('l1Fee'), (receipt, { random }) => [
    Number(receipt.effectiveGasPrice ?? 0) > 0 && random.chance(0.5)
      ? { ...receipt, l1Fee: null }
      : without(receipt, 'l1Fee'),
  ]),
  'operator-fee-missing': atOne(has('operatorFeeScalar', 'operatorFeeConstant'), (receipt, { random }) => [
    without(receipt, ...random.pick([['operatorFeeScalar'], ['operatorFeeConstant'], OPERATOR_FEE])),
  ]),
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

/** Excludes the receipt of Polygon's pseudo-transaction, which must never invalidate a block. */
const isOrdinary = (receipt: Json | null) =>
  !(
    receipt?.type === '0x0' &&
    receipt.from === address('0') &&
    receipt.to === address('0') &&
    receipt.gasUsed === '0x0'
  );

function all(): boolean {
  return true;
}

function isProvenIn(_: Json, { world, block }: Scene): boolean {
  return isProvable(world.chain, block);
}

function has(...fields: readonly string[]) {
  return (receipt: Json) => fields.every((field) => field in receipt);
}

function plusOne(field: string) {
  return (receipt: Json) => [{ ...receipt, [field]: hex(BigInt(`${receipt[field]}`) + 1n) }];
}
