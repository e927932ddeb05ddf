import { compareRow } from '#cli/doctor/row.ts';
import { type Chain, chainOf } from '#core/chains/chains.ts';
import type { OpStackRules } from '#core/chains/rule-types.ts';
import type { Rpc } from '#core/rpc/json-rpc.ts';
import { opStackRulesOf } from '#test/support/generators/blocks/base-goerli.ts';
import { readBlocks } from '#test/support/generators/chains/real-nodes.ts';

/* Headers that op-geth made with Base's genesis and forks: each fork is in the middle of blocks 2 seconds apart. */

const headers = readBlocks('op-stack/base.json.gz').map(({ json }) => json?.block);
const node: Rpc = async (_, [at], decode) => decode(structuredClone(headers[Number(at)]));
const BASE = chainOf('BASE');

const compare = (chain: Chain, { first = 1, last = 72 } = {}, rpc = node) =>
  compareRow(chain, rpc, { first, last }, (attempt) => {
    if ('value' in attempt) return attempt.value;
    throw new Error(attempt.refused);
  });
const withTimes = (times: Partial<OpStackRules>): Chain => ({
  ...BASE,
  rules: { ...opStackRulesOf(BASE), ...times },
});

test('finds no difference between a row and the headers across its forks, also of a pruned node', async () => {
  expect(await compare(BASE)).toEqual([]);
  expect(await compare(BASE, { first: 30 })).toEqual([]);
  // Jovian is ahead.
  expect(await compare(BASE, { last: 47 })).toEqual([]);
});

test.each([
  ['canyonTime', 1_704_992_402, 'Canyon', '2024-01-11T17:00:02Z', '6 (2024-01-11T17:00:01Z)'],
  ['ecotoneTime', 0, 'Ecotone', '1970-01-01T00:00:00Z', '13 (2024-03-14T00:00:01Z)'],
  ['isthmusTime', 1_746_806_399, 'Isthmus', '2025-05-09T15:59:59Z', '41 (2025-05-09T16:00:01Z)'],
  ['jovianTime', 1_795_046_400, 'Jovian', '2026-11-19T00:00:00Z', '48 (2025-12-02T16:00:01Z)'],
] as const)('names a fork whose time in the row, %s, is %i', async (field, time, name, inRow, fromBlock) => {
  expect(await compare(withTimes({ [field]: time }))).toEqual([
    `${name} is at ${inRow} by the row, but has changed the headers from block ${fromBlock} on.`,
  ]);
});

test('names a fork that should have begun, and that no header shows', async () => {
  expect(await compare(withTimes({ jovianTime: 1_746_806_403 }), { last: 47 })).toEqual([
    'Jovian is at 2025-05-09T16:00:03Z by the row, but has changed no header.',
  ]);
});

test('names the day of block 1 if the row begins with another', async () => {
  const begins = { ...BASE, firstDay: '2023-06-16' };
  expect(await compare(begins)).toEqual([
    'Block 1 is of 2023-06-15, and the first day of the row is 2023-06-16.',
  ]);
  expect(await compare(begins, { first: 2 })).toEqual([]);
});

test('compares the first blobs of chains with a blob schedule, and no fork of other families', async () => {
  expect(await compare({ ...BASE, rules: chainOf('ETHEREUM').rules })).toEqual([
    'Cancun is at 2024-03-13T13:55:35Z by the row, but has changed the headers from block 13 (2024-03-14T00:00:01Z) on.',
  ]);
  expect(await compare({ ...BASE, rules: chainOf('POLYGON').rules })).toEqual([]);
});

test('refuses a header with another number', async () => {
  const wrong: Rpc = (method, _, decode) => node(method, ['0x7'], decode);
  await expect(compare(BASE, {}, wrong)).rejects.toThrow('BASE block 1: the node answered with block 7');
});
