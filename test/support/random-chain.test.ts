import type { Chain } from '../../lambda/chains/chains.ts';
import { addTotals, NO_TOTALS, type Totals, totalsOf } from '../../lambda/chains/totals.ts';
import { addDays, dayOf, startOfDay } from '../../lambda/chains/utc-day.ts';
import { checkBlock } from '../../lambda/ingest/check-block.ts';
import { gasPricesSchema, headerSchema, receiptsSchema } from '../../lambda/rpc/decode.ts';
import { randomFrom } from './random.ts';
import type { RandomBlock } from './random-block.ts';
import { type Family, randomChain } from './random-chain.ts';

const make = (family: Family, seed: number, days = 6) =>
  randomChain(family, randomFrom(seed, family), { firstDay: '2027-02-26', days });

const seeds = Array.from({ length: 12 }, (_, seed) => seed);

const families: readonly (readonly [Family, readonly string[]])[] = [
  ['ethereum', ['0x0', '0x1', '0x2', '0x3', '0x4']],
  ['bsc', ['0x0', '0x1', '0x2', '0x3', '0x4']],
  ['polygon', ['0x0', '0x1', '0x2', '0x4', '0x7f']],
  ['op-stack', ['0x0', '0x1', '0x2', '0x4', '0x7d', '0x7e']],
  ['arbitrum', ['0x0', '0x1', '0x2', '0x4', '0x64', '0x65', '0x66', '0x68', '0x69', '0x6a', '0x78']],
];

const timeOf = (block: RandomBlock | undefined) => Number(block?.header.timestamp);

test('streams of a seed are reproducible and independent', () => {
  const drawn = (...labels: string[]) => {
    const random = randomFrom(1, ...labels);
    return Array.from({ length: 20 }, () => random.below(1000));
  };
  expect(drawn('a')).toEqual(drawn('a'));
  expect(drawn('a')).not.toEqual(drawn('b'));
  expect(drawn('ab')).not.toEqual(drawn('a', 'b'));
  expect([randomFrom(1).chance(0), randomFrom(1).chance(1)]).toEqual([false, true]);
});

describe.each(families)('%s', (family, types) => {
  const chains = seeds.map((seed) => make(family, seed));

  test('is the same for the same seed', () => {
    expect(make(family, 3)).toEqual(make(family, 3));
    expect(make(family, 3).blocks[1]).not.toEqual(make(family, 4).blocks[1]);
  });

  test('has all types of transactions', () => {
    const found = chains.flatMap(({ blocks }) =>
      blocks.flatMap(({ receipts }) => receipts.map(({ type }) => type)),
    );
    expect([...new Set(found)].toSorted()).toEqual(types.toSorted());
  });

  test('links from genesis into the day after the last', () => {
    for (const { blocks, siblings, expected } of chains) {
      for (const [number, { header }] of blocks.entries()) {
        const before = blocks[number - 1];
        expect(Number(header.number)).toBe(number);
        expect(header.parentHash).toBe(before?.header.hash ?? `0x${'0'.repeat(64)}`);
        expect(Number(header.timestamp)).toBeGreaterThanOrEqual(before ? timeOf(before) : 0);
        const sibling = siblings[number]?.header;
        expect([sibling?.number, sibling?.parentHash]).toEqual(
          before ? [header.number, header.parentHash] : [undefined, undefined],
        );
        expect(sibling?.hash).not.toBe(header.hash);
      }
      const days = ['2027-02-26', '2027-02-27', '2027-02-28', '2027-03-01', '2027-03-02', '2027-03-03'];
      expect([...expected.keys()]).toEqual(days);
      expect(blocks.map(timeOf).at(-1)).toBeGreaterThanOrEqual(Date.parse('2027-03-04') / 1000);
    }
  });

  test('expects the figures that the rules compute', () => {
    for (const { chain, blocks, expected } of chains) {
      for (const [day, { first, last, ...totals }] of expected) {
        const ofDay = [...blocks.entries()].filter(([, block]) => dayOf(timeOf(block)) === day);
        const sum = (all: Totals, [number, block]: [number, RandomBlock]) =>
          addTotals(all, readTotals(chain, number, block));
        expect(totals).toEqual(ofDay.reduce(sum, NO_TOTALS));
        expect(first?.number).toBe(ofDay[0]?.[0]);
        expect(last.number).toBe(ofDay.at(-1)?.[0] ?? last.number);
        expect(last.hash).toBe(blocks[last.number]?.header.hash);
        expect(timeOf(blocks[last.number + 1])).toBeGreaterThanOrEqual(startOfDay(addDays(day, 1)));
      }
    }
  });
});

/** Computes the totals of a block as a node returns it. */
function readTotals(chain: Chain, number: number, { header, receipts, transactions }: RandomBlock): Totals {
  const block = checkBlock(chain, number, headerSchema.parse(header), receiptsSchema.parse(receipts));
  const objects = gasPricesSchema.parse({ transactions }).transactions;
  const prices = new Map(objects.map(({ hash, gasPrice }) => [hash, gasPrice]));
  const priced = block.receipts.map((one) => ({ ...one, gasPrice: prices.get(one.transactionHash) }));
  return totalsOf(chain, { ...block, receipts: priced });
}

test('each fork has blocks on both sides', () => {
  for (const seed of seeds) {
    const { chain: arbitrum, blocks } = make('arbitrum', seed);
    const { chain: optimism, blocks: opBlocks } = make('op-stack', seed);
    const [nitro, op] = [arbitrum.rules, optimism.rules];
    if (nitro.family !== 'arbitrum' || op.family !== 'op-stack') throw new Error('of another family');
    expect(nitro.nitroBlock).toBeGreaterThan(0);
    expect(nitro.nitroBlock).toBeLessThan(blocks.length - 1);
    const times = opBlocks.map(timeOf);
    expect(op.bedrockBlock).toBeGreaterThan(0);
    expect(times[op.bedrockBlock]).toBeLessThan(op.isthmusTime);
    expect(times.some((time) => time >= op.isthmusTime && time < op.jovianTime)).toBe(true);
    expect(times.at(-1)).toBeGreaterThanOrEqual(op.jovianTime);
  }
});

test('some days have no block, some blocks share a second, some are at midnight or right before', () => {
  const chains = seeds.map((seed) => make('ethereum', seed));
  const days = chains.flatMap(({ expected }) => [...expected.values()]);
  expect(days.some(({ blocks }) => blocks === 0)).toBe(true);
  const times = chains.flatMap(({ blocks }) => blocks.map(timeOf));
  expect(times.some((time, index) => time === times[index + 1])).toBe(true);
  const seconds = times.map((time) => time % 86_400);
  expect(seconds).toContain(0);
  expect(seconds).toContain(86_399);
});

test("Polygon's synthetic transaction is in the body and the receipts, in one of them, or in neither", () => {
  const blocks = seeds.flatMap((seed) => make('polygon', seed).blocks);
  const listings = blocks.flatMap(({ stateSync, header, receipts }) =>
    stateSync
      ? [`${header.transactions.includes(`${stateSync.transactionHash}`)} ${receipts.includes(stateSync)}`]
      : [],
  );
  expect([...new Set(listings)].toSorted()).toEqual(['false false', 'false true', 'true false', 'true true']);
});
