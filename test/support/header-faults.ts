import { hashOf } from './builders.ts';
import { type Alteration, without } from './fault-scene.ts';
import { EMPTY_ROOT, hex, isInBody, type Json } from './random-block.ts';
import { respell } from './spelling.ts';

const NEEDED = ['number', 'hash', 'parentHash', 'timestamp', 'transactions'];

/** Ordered so that no fault undoes an earlier one. */
export const headerAlterations = {
  'header-field-missing': (header, { random }) => {
    const field = random.pick(NEEDED);
    return random.chance(0.5) ? without(header, field) : { ...header, [field]: null };
  },
  'wrong-number': (header, { request, random }) =>
    // No check can find how far the latest block is from final.
    header.number && request.by !== 'latest'
      ? { ...header, number: hex(Math.abs(Number(header.number) + random.pick([-3, -1, 1, 2]))) }
      : undefined,
  'wrong-parent': (header, { name }) =>
    header.parentHash && Number(header.number) > 0
      ? { ...header, parentHash: hashOf(`${name} on the parent of ${header.hash}`) }
      : undefined,
  'wrong-timestamp': (header, { name }) =>
    header.timestamp
      ? { ...header, timestamp: hex(Math.max(0, Number(header.timestamp) + clockErrorOf(name))) }
      : undefined,
  // Only the miner distinguishes a BSC system transaction from one of a user.
  'miner-missing': (header, { world }) =>
    world.chain.rules.family === 'bsc' ? without(header, 'miner') : undefined,
  'body-emptied': (header) =>
    header.transactionsRoot === EMPTY_ROOT ? undefined : withBody(header, () => []),
  // Never the last one, because no check can find it when its receipt is dropped too.
  'body-hash-missing': (header, { block, random }) =>
    withBody(header, (body) => {
      const ordinary = body.length - (isInBody(block) ? 1 : 0);
      return ordinary < 2 ? body : body.toSpliced(random.below(ordinary - 1), 1);
    }),
  'body-null': (header, { random }) =>
    withBody(header, (body) => (body.length === 0 ? body : body.with(random.below(body.length), null))),
  'transaction-price-missing': (header, { request, block, random }) => {
    const objects = block.transactions.filter((_, index) => lacksPrice(block.receipts[index]));
    if (!request.isFull || objects.length === 0) return undefined;
    const chosen = random.pick(objects);
    return withBody(header, (body) =>
      body.map((one) => (one === chosen ? without(chosen, 'gasPrice') : one)),
    );
  },
  /** Harmless. */
  spelling: (header, { random }) => respell(header, random),
} satisfies Record<string, Alteration<Json>>;

function withBody(header: Json, change: (body: readonly unknown[]) => readonly unknown[]): Json | undefined {
  const { transactions } = header;
  return Array.isArray(transactions) ? { ...header, transactions: change(transactions) } : undefined;
}

/** Returns whether the price comes from the transaction. */
const lacksPrice = (receipt: Json | undefined) =>
  receipt?.effectiveGasPrice === undefined && (receipt?.type === '0x0' || receipt?.type === '0x1');

/** Returns an offset in seconds, up to 1.25 days in both directions, different for each node. */
function clockErrorOf(name: string): number {
  const digest = Number(hashOf(`clock of ${name}`).slice(0, 14));
  return (digest % 2 === 0 ? 1 : -1) * (1 + (digest % 108_000));
}
