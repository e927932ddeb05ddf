import { hex, type Json } from '#test/support/generators/blocks/seal.ts';
import type { Random } from '#test/support/generators/random/random.ts';
import type { RandomBlock } from '#test/support/generators/random/random-block.ts';
import type { Scene } from '#test/support/nodes/fault-scene.ts';

/** Returns the block as the node tells it, or undefined when the lie does not apply. */
export type Lie = (block: RandomBlock, scene: LieScene) => RandomBlock | undefined;

export type LieScene = Pick<Scene, 'world' | 'random' | 'name'>;

const UNPAID = ['0x7d', '0x7e', '0x7f'];

export const plus = (quantity: unknown, more: bigint | number): string =>
  hex(BigInt(`${quantity}`) + BigInt(more));
export const raised = (json: Json, field: string, more: bigint | number = 1): Json => ({
  ...json,
  [field]: plus(json[field], more),
});

/** Indexes of the transactions that fulfil a condition, without Polygon's pseudo-transaction. */
export function placesOf(
  { transactions, receipts, stateSync }: RandomBlock,
  isFit: (transaction: Json, receipt: Json) => boolean,
): number[] {
  return transactions.flatMap((transaction, index) => {
    const receipt = receipts[index];
    const isPseudo = transaction.hash === stateSync?.transactionHash;
    return receipt && !isPseudo && isFit(transaction, receipt) ? [index] : [];
  });
}

export const pickPlace = (random: Random, places: readonly number[]): number | undefined =>
  places.length === 0 ? undefined : random.pick(places);

export const isOneOf = ({ type }: Json, types: readonly string[]) => types.some((one) => one === type);
export const isPaid = (transaction: Json) => !isOneOf(transaction, UNPAID);
export const usesGas = (receipt: Json) => receipt.gasUsed !== '0x0';
export const withPrice = (receipt: Json): Json =>
  'effectiveGasPrice' in receipt ? raised(receipt, 'effectiveGasPrice') : receipt;
