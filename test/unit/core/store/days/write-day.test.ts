import { chainOf } from '#core/chains/chains.ts';
import { type Finality, reportedBy } from '#core/figures/block.ts';
import { addDays } from '#core/figures/calendar.ts';
import type { DayFigures } from '#core/figures/day-figures.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import type { PricedAttributes } from '#core/store/attributes/day-attributes.ts';
import { getDay, getFinalDay, heirsOf, listEvidence, putFinality, putPrice } from '#core/store/days/days.ts';
import { deleteUnpriced, listUnpriced } from '#core/store/days/notes.ts';
import { putDay, replaceDay } from '#core/store/days/write-day.ts';
import { type ChainStore, chainStore, type Item } from '#core/store/table/table.ts';
import { blockAt, dayFigures, provenance } from '#test/support/generators/blocks/builders.ts';
import { interleavings } from '#test/support/tables/interleavings.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';

const table = useMemoryTable();
const DAY = '2026-11-20';
const PROOF: Finality = { kind: 'sync committee', slot: 1, root: '0x1' };
const AGGREGATOR = `0x${'7d'.repeat(20)}`;

/** A day of one block. */
const figures = (transactions: number, day = DAY) => {
  const [first, parent] = day === DAY ? [blockAt(1), blockAt(0)] : [blockAt(2), blockAt(1)];
  const totals = { ...NO_TOTALS, blocks: 1, transactions };
  return dayFigures(day, { totals, parentHash: parent.hash, first, last: first });
};

/** Reads, decides and writes, and returns whether it wrote. */
type Writer = (store: ChainStore) => Promise<boolean>;

/** Prices the day as a run does. */
const priced =
  (priceOf: (figures: DayFigures) => PricedAttributes): Writer =>
  async (store) => {
    const day = await getFinalDay(store, DAY);
    if (!day || !(await putPrice(store, day.version, priceOf(day.figures)))) return false;
    await deleteUnpriced(store, day.version);
    return true;
  };
const price = { first: '1', last: '1', updates: 1, aggregator: AGGREGATOR, evidence: 'proven' } as const;
const restated =
  (transactions: number): Writer =>
  async (store) => {
    const restatement = { reason: `there are ${transactions}`, requestedAt: '2026-11-25T08:00:00Z' };
    const of = provenance({ finality: reportedBy(['b.example']) });
    return (
      (await getDay(store, DAY)) !== undefined && replaceDay(store, figures(transactions), of, restatement)
    );
  };

const writers: Readonly<Record<string, Writer>> = {
  published: (store) => putDay(store, figures(3), provenance({ finality: reportedBy(['a.example']) })),
  // Dollars follow from the figures.
  priced: priced(({ totals }) => ({ fees_usd: `${totals.transactions}.5`, price })),
  'without dollars': priced(() => ({ unpriced_reason: 'no state' })),
  proven: async (store) => {
    const [heir] = heirsOf(await listEvidence(store));
    return heir !== undefined && putFinality(store, heir);
  },
  restated: restated(4),
  'restated otherwise': restated(5),
};
const others = ['published', 'priced', 'proven', 'restated'];
const pairs = [
  ...others.flatMap((a, index) => others.slice(index + 1).map((b) => [a, b] as const)),
  ['priced', 'without dollars'],
  ['proven', 'proven'],
  ['restated', 'restated otherwise'],
] as const;

let chains = 0;
/** Opens a chain with a proven day after the day, which exists unless it is to be published. */
async function openChain(isPublished: boolean): Promise<ChainStore> {
  const store = chainStore(table(), { ...chainOf('ETHEREUM'), name: `CHAIN ${chains++}` });
  await putDay(store, figures(1, addDays(DAY, 1)), provenance({ finality: PROOF }));
  if (isPublished) await writers.published?.(store);
  return store;
}

/** Returns the day as it is after writers that ran one after the other. */
async function afterEach(isPublished: boolean, order: readonly string[]): Promise<Item | undefined> {
  const store = await openChain(isPublished);
  for (const name of order) await writers[name]?.(store);
  return itemOf(store);
}
async function itemOf({ table, chain }: ChainStore): Promise<Item | undefined> {
  const { chain: _, ...item } = (await table.getItem({ chain, date: DAY })) ?? {};
  return item;
}

test.each(pairs)(
  'a day that is %s while it is %s is as after those that wrote, one after the other',
  async (a, b) => {
    const isPublished = ![a, b].includes('published');
    const inOrder = async (...order: string[]) => ({
      wrote: order.toSorted(),
      item: await afterEach(isPublished, order),
    });
    const serial = [
      await inOrder(a),
      await inOrder(b),
      ...(await Promise.all([inOrder(a, b), inOrder(b, a)])),
    ];
    let count = 0;
    const open = () => openChain(isPublished);
    for await (const { store, results } of interleavings(open, [writers[a], writers[b]] as Writer[], DAY)) {
      const wrote = [a, b].filter((_, index) => results[index]).toSorted();
      expect(wrote).not.toEqual([]);
      const item = await itemOf(store);
      expect(serial).toContainEqual({ wrote, item });
      const isPriced = item?.fees_usd !== undefined || item?.unpriced_reason !== undefined;
      expect(isPriced || (await listUnpriced(store)).includes(DAY)).toBe(true);
      count += 1;
    }
    expect(count).toBeGreaterThan(1);
  },
);
