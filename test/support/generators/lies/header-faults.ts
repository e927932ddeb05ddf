import { hashOf } from '#test/support/generators/blocks/builders.ts';
import { hex, type Json } from '#test/support/generators/blocks/seal.ts';
import { isJson, respell } from '#test/support/generators/blocks/spelling.ts';
import { isInBody } from '#test/support/generators/random/random-block.ts';
import { EMPTY_ROOT } from '#test/support/generators/random/random-header.ts';
import { type Alteration, isProvable, type Scene, without } from '#test/support/nodes/fault-scene.ts';

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
  'root-missing': (header, scene) =>
    isProvable(scene.world.chain, scene.block)
      ? without(
          header,
          scene.random.pick(['transactionsRoot', 'receiptsRoot', 'stateRoot', 'miner', 'gasUsed']),
        )
      : undefined,
  'body-emptied': (header) =>
    header.transactionsRoot === EMPTY_ROOT ? undefined : withBody(header, () => []),
  // Never the last one: where blocks are not proven, no check can find it when its receipt is dropped too.
  'body-hash-missing': (header, { block, random }) =>
    withBody(header, (body) => {
      const ordinary = body.length - (isInBody(block) ? 1 : 0);
      return ordinary < 2 ? body : body.toSpliced(random.below(ordinary - 1), 1);
    }),
  'body-null': (header, { random }) =>
    withBody(header, (body) => (body.length === 0 ? body : body.with(random.below(body.length), null))),
  'transaction-price-missing': atOneTransaction(
    ({ type }) => type === '0x0' || type === '0x1',
    (transaction) => without(transaction, 'gasPrice'),
  ),
  'signature-missing': atOneTransaction(
    ({ type, r }) => r !== undefined && Number(type) <= 4,
    (transaction, { random }) => without(transaction, random.pick(['r', 's'])),
  ),
  /** Harmless, as the next ones: a node gives the parity as `v`, as `yParity` or as both. */
  'parity-once': atOneTransaction(
    ({ yParity }) => yParity !== undefined,
    (transaction, { random }) => without(transaction, random.pick(['v', 'yParity'])),
  ),
  'type-missing': atOneTransaction(
    ({ type }) => type === '0x0',
    (transaction) => without(transaction, 'type'),
  ),
  /** The sender follows from the signature. */
  'sender-changed': atOneTransaction(
    ({ type }) => Number(type) <= 4,
    (transaction, { random, block }) =>
      random.chance(0.5) ? without(transaction, 'from') : { ...transaction, from: block.header.miner },
  ),
  /** Harmless. */
  spelling: (header, { random }) => respell(header, random),
} satisfies Record<string, Alteration<Json>>;

function withBody(header: Json, change: (body: readonly unknown[]) => readonly unknown[]): Json | undefined {
  const { transactions } = header;
  return Array.isArray(transactions) ? { ...header, transactions: change(transactions) } : undefined;
}

/** Changes one of the transactions of a provable block that a fault applies to, when the request is for full ones. */
function atOneTransaction(
  befalls: (transaction: Json) => boolean,
  change: (transaction: Json, scene: Scene) => Json,
): Alteration<Json> {
  return (header, scene) => {
    const { request, block, world, random } = scene;
    if (!request.isFull || !isProvable(world.chain, block)) return undefined;
    const isPseudo = ({ hash }: Json) => hash === block.stateSync?.transactionHash;
    const hashes = block.transactions
      .filter((one) => !isPseudo(one) && befalls(one))
      .map(({ hash }) => `${hash}`);
    if (hashes.length === 0) return undefined;
    const chosen = random.pick(hashes);
    return withBody(header, (body) =>
      body.map((one) => (isJson(one) && one.hash === chosen ? change(one, scene) : one)),
    );
  };
}

/** Returns an offset in seconds, up to 1.25 days in both directions, different for each node. */
function clockErrorOf(name: string): number {
  const digest = Number(hashOf(`clock of ${name}`).slice(0, 14));
  return (digest % 2 === 0 ? 1 : -1) * (1 + (digest % 108_000));
}
