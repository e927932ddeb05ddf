import fc from 'fast-check';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import type { BlobSchedule, Rules } from '#core/chains/rule-types.ts';
import { type RuleSpan, rulesKey } from '#core/chains/rules-key.ts';

const rulesOf = (name: ChainName): Rules => chainOf(name).rules;
const span = (from: number, until: number): RuleSpan => ({ first: 1, last: 1, from, until });
const blocks = (first: number, last: number): RuleSpan => ({ first, last, from: 0, until: 0 });

const ethereum = chainOf('ETHEREUM').rules;
if (ethereum.family !== 'ethereum') throw new Error('not Ethereum');
test('blocks have the same key exactly if each of them has the same price of blobs', () => {
  const time = fc.integer({ min: 0, max: 20 });
  const schedule = fc
    .uniqueArray(fc.record({ from: time, updateFraction: fc.integer({ min: 1, max: 3 }) }), {
      selector: ({ from }) => from,
      maxLength: 4,
    })
    .map(
      (forks): BlobSchedule =>
        forks.toSorted((a, b) => a.from - b.from).map((one) => ({ ...one, target: 3, max: 6 })),
    );
  const pricesIn = (blobSchedule: BlobSchedule, { from, until }: RuleSpan) =>
    Array.from(
      { length: until - from + 1 },
      (_, index) => blobSchedule.findLast((one) => one.from <= from + index)?.updateFraction,
    );
  fc.assert(
    fc.property(schedule, schedule, time, time, (one, other, a, b) => {
      const at = span(Math.min(a, b), Math.max(a, b));
      const isSame = JSON.stringify(pricesIn(one, at)) === JSON.stringify(pricesIn(other, at));
      const keyOf = (blobSchedule: BlobSchedule) => rulesKey({ ...ethereum, blobSchedule }, at);
      // A fork that changes nothing may change the key, which costs time alone.
      if (keyOf(one) === keyOf(other)) expect(isSame).toBe(true);
      if (JSON.stringify(one) === JSON.stringify(other)) expect(keyOf(one)).toBe(keyOf(other));
    }),
  );
});

test.each<[ChainName, object, RuleSpan]>([
  ['OPTIMISM', { jovianTime: 1_790_000_000 }, span(1_764_691_201, 1_764_691_300)],
  ['BASE', { isthmusTime: 1_746_806_402 }, span(1_746_806_400, 1_746_806_500)],
  ['POLYGON', { stateSyncTypeFrom: 80_084_801 }, blocks(80_084_790, 80_084_810)],
  ['POLYGON', { sprints: [{ from: 0, length: 64 }] }, blocks(38_189_056, 38_189_100)],
  ['BSC', { systemContracts: new Set(['0x2007']) }, span(1_790_000_000, 1_790_000_100)],
  ['ARBITRUM', { nitroBlock: 5 }, blocks(22_207_000, 22_208_000)],
  ['OPTIMISM', { bedrockBlock: 5 }, blocks(105_235_000, 105_236_000)],
])('on %s, another %j changes the key of the blocks that it concerns', (name, change, at) => {
  const changed = { ...rulesOf(name), ...change } as Rules;
  expect(rulesKey(changed, at)).not.toBe(rulesKey(rulesOf(name), at));
});

test.each<[string, RuleSpan, boolean]>([
  ['ends before', span(0, 1_764_691_200), true],
  ['ends with', span(0, 1_764_691_201), false],
  ['begins with', span(1_764_691_201, 1_764_691_300), false],
])('a span that %s the first block of Jovian has the key of a chain without it: %s', (_, at, isSame) => {
  const without = { ...rulesOf('OPTIMISM'), jovianTime: Number.MAX_SAFE_INTEGER } as Rules;
  expect(rulesKey(without, at) === rulesKey(rulesOf('OPTIMISM'), at)).toBe(isSame);
});

test('the name has 16 hex digits', () => {
  expect(rulesKey(rulesOf('BASE'), span(1_764_691_201, 1_764_691_300))).toMatch(/^[0-9a-f]{16}$/);
});

test.each<[ChainName, object]>([
  ['ARBITRUM', { lastArbosVersion: 99 }],
  ['POLYGON', { giuglianoBlock: 1 }],
])('on %s, %j only refuses blocks, and changes no key', (name, change) => {
  const at = { first: 90_000_000, last: 90_000_100, from: 1_790_000_000, until: 1_790_000_100 };
  expect(rulesKey({ ...rulesOf(name), ...change } as Rules, at)).toBe(rulesKey(rulesOf(name), at));
});
