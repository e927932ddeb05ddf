import { checkRanges } from '#cli/import/check-ranges.ts';
import { compareDays } from '#cli/import/stored-days.ts';
import { dayId } from '#cli/import/validate-rows.ts';
import { chainOf } from '#core/chains/chains.ts';
import type { finalityPolicies } from '#core/figures/day-figures.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { getCheckpoint, saveCheckpoint } from '#core/store/days/checkpoints.ts';
import type { StoredDay } from '#core/store/days/day-item.ts';
import { blockAt, finalSums } from '#test/support/generators/blocks/builders.ts';
import { withHeader } from '#test/support/generators/blocks/seal.ts';
import { answerFrom, refAt, reseal } from '#test/support/generators/chains/sample-chain.ts';
import { DAY, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { emptyAfter, storedDay, storedDays } from '#test/support/generators/rows/stored-days.ts';
import type { NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';
import { startTwoNodes } from '#test/support/nodes/several-nodes.ts';
import { upstreamsOf } from '#test/support/nodes/source.ts';
import { servedChain } from '#test/support/served-chain.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('ETHEREUM');
const chain = chainOf('ETHEREUM');
const answerWell = answerFrom(sampleBlocks);
const hash = (number: number) => refAt(sampleBlocks, number).hash;

const dayOfBlocks = (date: string, first: number, last: number): StoredDay =>
  storedDay({
    chain: 'ETHEREUM',
    date,
    block_count: last - first + 1,
    parent_hash: hash(first - 1),
    first_block: refAt(sampleBlocks, first),
    last_block: refAt(sampleBlocks, last),
  });
const [one, two] = [dayOfBlocks(DAY, 1, 4), dayOfBlocks('2026-11-19', 5, 7)];

interface Given {
  readonly stored?: readonly StoredDay[];
  readonly nodes?: 0 | 1 | 2;
  readonly answer?: NodeAnswer;
  readonly finality?: (typeof finalityPolicies)[number];
  readonly asks?: boolean;
}

/** Checks the days of a file that begins in line 1. */
async function check(
  days: readonly StoredDay[],
  { stored = [], nodes: count = 2, answer = answerWell, finality, asks = true }: Given = {},
) {
  await using nodes = await startTwoNodes(answer);
  const served = servedChain('ETHEREUM', table(), {
    finality,
    createUpstreams: async () => upstreamsOf(chain, nodes.nodes.slice(0, count)),
  });
  const service = { title: 'The service', flags: '', table: table(), chains: [served] };
  const inFile = days.map((day, index) => ({ file: 'days.ndjson', line: index + 1, day }));
  const index = new Map(stored.map((day) => [dayId(day), day]));
  const plan = await checkRanges(service, compareDays(inFile, index, true), index, asks);
  return {
    writes: plan.writes.map(({ line }) => line),
    problems: plan.problems.map(({ line, problem }) => `line ${line}: ${problem}`),
    calls: nodes.calls().map(({ method, params: [at] }) => `${method} ${at}`),
  };
}

test('lets the hosts vote on the last block of each range', async () => {
  const { writes, problems, calls } = await check([two, one]);
  expect([writes, problems]).toEqual([[2, 1], []]);
  // Also read to find the anchor.
  expect(calls.filter((call) => call === 'eth_getBlockByNumber 0x7')).toHaveLength(2);
  expect(calls).not.toContain('eth_getBlockByNumber 0x4');
});

test('asks no host about days that a stored day continues by hash, or in a dry run', async () => {
  expect(await check([one], { stored: [two] })).toEqual({ writes: [1], problems: [], calls: [] });
  expect(await check([one, two], { asks: false })).toEqual({ writes: [1, 2], problems: [], calls: [] });
});

test('asks no host about days that the running day continues', async () => {
  const day = '2026-11-20';
  const progress = { ...startDayProgress(day, refAt(sampleBlocks, 7)), first: refAt(sampleBlocks, 8) };
  await saveCheckpoint(store(), await getCheckpoint(store(), day), { progress, final: finalSums(progress) });
  expect(await check([one, two])).toEqual({ writes: [1, 2], problems: [], calls: [] });
});

test('lets only days that the chain proves confirm others where it must', async () => {
  const refused = { writes: [], problems: [expect.stringContaining('hosts are not enough for the setting')] };
  expect(await check([one, two], { finality: 'proven' })).toMatchObject(refused);
  expect(await check([one], { stored: [two], finality: 'proven' })).toMatchObject(refused);
  const proven = { ...two, links_to: { slot: 1, root: hash(1) } };
  expect(await check([one], { stored: [proven], finality: 'proven' })).toMatchObject({ problems: [] });
});

const isMissing: NodeAnswer = (call) => (Number(call.params[0]) === 7 ? { result: null } : answerWell(call));

test.each([
  ['one host alone answers', { nodes: 1 }, /: a quorum of 1 cannot confirm it\. Also import the days from/],
  ['no endpoint answers', { nodes: 0 }, /: No endpoint gave a valid response for the finalized block of/],
  ['the hosts do not have the block', { answer: isMissing }, /: Block 7: no host has it\./],
] satisfies [string, Given, RegExp][])('refuses a range when %s', async (_, given, reason) => {
  const { writes, problems } = await check([two, one], given);
  expect([writes, problems]).toEqual([[], [expect.stringMatching(reason)]]);
  expect(problems[0]).toMatch(
    /^line 1: nothing confirms block 7 \(0x\w{8}…\), the last of ETHEREUM 2026-11-18 to 2026-11-19: /,
  );
});

test('refuses a range that ends with a block of another chain, and not the others', async () => {
  const fork = reseal(sampleBlocks, 8, (block) => withHeader(block, { extraData: '0x01' }));
  const last = { number: 8, hash: fork[8]?.header.hash ?? '' };
  const foreign = { ...dayOfBlocks('2026-11-21', 8, 8), last_block: last, first_block: last };
  const { writes, problems } = await check([one, foreign], { stored: [two] });
  expect([writes, problems]).toEqual([
    [1],
    [expect.stringMatching(`^line 2: the hosts report ${hash(8)}, not block 8 `)],
  ]);
});

test('refuses the days of a chain that the service does not ingest, unless a stored day continues them', async () => {
  const { problems } = await check([{ ...one, chain: 'BSC' }]);
  expect(problems).toEqual([expect.stringContaining('The service does not ingest BSC')]);
  const elsewhere = { chain: 'BSC' } as const;
  const given = { stored: [{ ...two, ...elsewhere }] };
  expect(await check([{ ...one, ...elsewhere }], given)).toMatchObject({ writes: [1], problems: [] });
});

const [first = one, second = one, third = one] = storedDays(3);
const checkLinks = (days: readonly StoredDay[], stored: readonly StoredDay[] = []) =>
  check(days, { stored, asks: false });

test('accepts contiguous days in any order, with one that has no blocks', async () => {
  const empty = storedDay({ ...emptyAfter(8), date: '2025-11-20' });
  const days = [{ ...third, date: '2025-11-21' }, second, empty, first, { ...third, chain: 'BASE' as const }];
  expect((await checkLinks(days)).problems).toEqual([]);
});

test.each<[string, Partial<StoredDay>, string]>([
  ['a block is missing', { first_block: blockAt(6) }, 'begins with block 6'],
  ['the parent is another block', { parent_hash: blockAt(5).hash }, 'begins with block 5'],
  ['it has no blocks, and ends elsewhere', { ...emptyAfter(4), last_block: blockAt(5) }, 'has no blocks'],
])('refuses the whole range when %s', async (_, change, start) => {
  const { writes, problems } = await checkLinks([first, { ...second, ...change }]);
  const problem = `^line 2: BSC 2025-11-19 does not continue the day before: it ${start}, parent 0x\\w{8}…, and the day before ends with block 4 \\(0x\\w{8}…\\)$`;
  expect([writes, problems]).toEqual([[], [expect.stringMatching(problem)]]);
});

test('refuses a range that does not follow from the table, or that the table does not continue', async () => {
  const gap = { ...second, first_block: blockAt(6), block_count: 3 };
  expect((await checkLinks([gap], [first])).problems).toEqual([
    expect.stringMatching(/^line 1: BSC 2025-11-19 does not continue /),
  ]);
  const after = { ...third, first_block: blockAt(10) };
  expect((await checkLinks([second], [after])).problems).toEqual([
    expect.stringMatching(/^line 1: BSC 2025-11-20 does not continue /),
  ]);
});
