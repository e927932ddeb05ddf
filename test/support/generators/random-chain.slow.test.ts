import { validateBlock } from '#core/blocks/nodes/validate-block.ts';
import { type Chain, chainOf } from '#core/chains/chains.ts';
import { addDays, dayOf, startOfDay } from '#core/figures/calendar.ts';
import { boundsOf } from '#core/figures/fee-buckets.ts';
import { advance, startDayProgress } from '#core/figures/progress.ts';
import { addTotals } from '#core/figures/totals.ts';
import { excessProblem } from '#core/proof/prices/eip4844.ts';
import { randomFrom } from './random.ts';
import { isInBody, type RandomBlock } from './random-block.ts';
import { type Family, type RandomChain, randomChain } from './random-chain.ts';

const make = (family: Family, seed: number, days = 6) =>
  randomChain(family, randomFrom(seed, family), { firstDay: '2027-02-26', days });

const seeds = Array.from({ length: 12 }, (_, seed) => seed);
const makeAll = (family: Family) => Promise.all(seeds.map((seed) => make(family, seed)));

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
  let chains: readonly RandomChain[] = [];
  beforeAll(async () => {
    chains = await makeAll(family);
  });

  test('is the same for the same seed', async () => {
    expect(await make(family, 3)).toEqual(chains[3]);
    expect(chains[3]?.blocks[1]).not.toEqual(chains[4]?.blocks[1]);
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

  test('expects the figures that follow from the blocks, proven wherever their family can be', () => {
    for (const { chain, blocks, expected } of chains) {
      for (const [day, { parentHash, first, last, provenBlocks, ...rest }] of expected) {
        const { isStartHashed: _, hours, feeCounts, ...totals } = rest;
        const ofDay = blocks.filter((block) => dayOf(timeOf(block)) === day);
        const valid = ofDay.map((block) => validate(chain, block));
        const read = valid.reduce(
          (progress, block) => advance(progress, { ...block, host: 'a.example' }),
          startDayProgress(day, undefined),
        );
        expect(totals).toEqual(read.totals);
        expect(hours).toEqual(read.hours);
        expect(feeCounts).toEqual(
          new Map([...read.feeCounts].map(([bucket, count]) => [boundsOf(bucket).from, count])),
        );
        expect(read.hours.reduce(addTotals)).toEqual(read.totals);
        expect(provenBlocks).toBe(valid.filter(({ isProven }) => isProven).length);
        expect(first?.hash).toBe(ofDay[0]?.header.hash);
        expect(parentHash).toBe(ofDay[0]?.header.parentHash ?? last.hash);
        expect(last.hash).toBe(ofDay.at(-1)?.header.hash ?? last.hash);
        expect(last.hash).toBe(blocks[last.number]?.header.hash);
        expect(timeOf(blocks[last.number + 1])).toBeGreaterThanOrEqual(startOfDay(addDays(day, 1)));
      }
    }
  });

  test('has blobs whose price follows from the block before, with and without Amsterdam', () => {
    for (const { chain, blocks } of chains) {
      const headers = blocks.map((block) => validate(chain, block));
      for (const [index, child] of headers.entries()) {
        const parent = headers[index - 1];
        if (parent) expect(excessProblem(chain.rules, parent, child)).toBeUndefined();
      }
    }
  });

  test('has siblings that are valid blocks', () => {
    for (const { chain, siblings } of chains) {
      for (const block of siblings) if (block) validate(chain, block);
    }
  });
});

/** Validates a block as a node returns it. */
function validate(chain: Chain, { header, transactions, receipts }: RandomBlock) {
  // Decoders write into what they decode.
  const answer = structuredClone([{ ...header, transactions }, receipts]);
  const valid = validateBlock(
    { chain, evidence: 'proven' },
    Number(header.number),
    ...(answer as [unknown, unknown]),
  );
  if ('refused' in valid) throw new Error(valid.refused);
  return valid.value;
}

test('each fork of the OP stack has blocks on both sides', async () => {
  for (const { chain, blocks } of await makeAll('op-stack')) {
    if (chain.rules.family !== 'op-stack') throw new Error('of another family');
    const { bedrockBlock, canyonTime, ecotoneTime, fjordTime, isthmusTime, jovianTime } = chain.rules;
    const times = blocks.map(timeOf);
    expect(bedrockBlock).toBeGreaterThan(0);
    expect(times[bedrockBlock]).toBeLessThan(canyonTime);
    const forks = [canyonTime, ecotoneTime, fjordTime, isthmusTime, jovianTime, Number.MAX_SAFE_INTEGER];
    for (const [index, from] of forks.slice(0, -1).entries()) {
      expect(times.some((time) => time >= from && time < (forks[index + 1] ?? 0))).toBe(true);
    }
  }
});

test('the forks of the other families have blocks on both sides', async () => {
  const isWithin = (number: number, { blocks }: RandomChain) => number > 0 && number < blocks.length - 1;
  for (const seed of seeds) {
    const [nitro, polygon] = [await make('arbitrum', seed), await make('polygon', seed)];
    const ethereum = await make('ethereum', seed);
    if (nitro.chain.rules.family !== 'arbitrum') throw new Error('of another family');
    expect(isWithin(nitro.chain.rules.nitroBlock, nitro)).toBe(true);
    if (polygon.chain.rules.family !== 'polygon') throw new Error('of another family');
    expect(isWithin(polygon.chain.rules.stateSyncTypeFrom, polygon)).toBe(true);
    if (ethereum.chain.rules.family !== 'ethereum') throw new Error('of another family');
    for (const { from } of ethereum.chain.rules.blobSchedule) {
      expect(ethereum.blocks.findIndex((block) => timeOf(block) >= from)).toBeGreaterThanOrEqual(0);
    }
  }
});

test('keeps the rules of the real chain on request', async () => {
  const real = { firstDay: '2026-11-01', days: 3, keepsRules: true };
  const { chain, blocks } = await randomChain('ethereum', randomFrom(1), real);
  expect(chain.rules).toEqual(chainOf('ETHEREUM').rules);
  for (const block of blocks) validate(chain, block);
});

test('some days have no block, some blocks share a second, some are at midnight or right before', async () => {
  const chains = await makeAll('ethereum');
  const days = chains.flatMap(({ expected }) => [...expected.values()]);
  expect(days.some(({ blocks }) => blocks === 0)).toBe(true);
  const times = chains.flatMap(({ blocks }) => blocks.map(timeOf));
  expect(times.some((time, index) => time === times[index + 1])).toBe(true);
  const seconds = times.map((time) => time % 86_400);
  expect(seconds).toContain(0);
  expect(seconds).toContain(86_399);
});

test("Polygon's pseudo-transaction is in the body and the receipts, in one of them, or in neither", async () => {
  const blocks = (await makeAll('polygon')).flatMap((world) => world.blocks);
  const listings = blocks.flatMap((block) =>
    block.stateSync ? [`${isInBody(block)} ${block.receipts.includes(block.stateSync)}`] : [],
  );
  expect([...new Set(listings)].toSorted()).toEqual(['false false', 'false true', 'true false', 'true true']);
});
