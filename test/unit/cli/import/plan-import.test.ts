import { planImport } from '#cli/import/plan-import.ts';
import { chainOf } from '#core/chains/chains.ts';
import type { FinalityPolicy } from '#core/figures/day-figures.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { getCheckpoint, saveCheckpoint } from '#core/store/days/checkpoints.ts';
import type { StoredDay } from '#core/store/days/day-item.ts';
import { putStoredDay } from '#core/store/days/stored-days.ts';
import { answerFrom, refAt, reseal } from '#test/support/generators/sample-chain.ts';
import { DAY, sampleBlocks } from '#test/support/generators/sample-days.ts';
import { withHeader } from '#test/support/generators/seal.ts';
import { storedDay } from '#test/support/generators/stored-days.ts';
import type { NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';
import { upstreamsOf } from '#test/support/nodes/source.ts';
import { startTwoNodes } from '#test/support/nodes/two-nodes.ts';
import { useStore } from '#test/support/tables/table.ts';

const { table, store } = useStore('ETHEREUM');
const chain = chainOf('ETHEREUM');
const answerWell = answerFrom(sampleBlocks);
const hash = (number: number) => refAt(sampleBlocks, number).hash;

const dayOfBlocks = (date: string, first: number, last: number, given: Partial<StoredDay> = {}): StoredDay =>
  storedDay({
    chain: 'ETHEREUM',
    date,
    block_count: last - first + 1,
    parent_hash: hash(first - 1),
    first_block: refAt(sampleBlocks, first),
    last_block: refAt(sampleBlocks, last),
    ...given,
  });
const [one, two] = [dayOfBlocks(DAY, 1, 4), dayOfBlocks('2026-11-19', 5, 7)];

interface Given {
  readonly nodes?: 0 | 1 | 2;
  readonly answer?: NodeAnswer;
  readonly options?: Partial<Parameters<typeof planImport>[3]>;
  readonly finality?: FinalityPolicy;
}

/** Plans the import of days from a file that begins in line 1. */
async function plan(
  days: readonly StoredDay[],
  { nodes: count = 2, answer = answerWell, options = {}, finality }: Given = {},
) {
  await using nodes = await startTwoNodes(answer);
  const served = {
    name: 'ETHEREUM' as const,
    chain,
    store: store(),
    finality,
    createUpstreams: async () => upstreamsOf(chain, nodes.nodes.slice(0, count)),
  };
  const service = { title: 'The service', flags: '', table: table(), chains: [served] };
  async function* rows() {
    for (const [index, day] of days.entries()) yield { line: index + 1, day };
  }
  const given = { replace: false, dryRun: false, ...options };
  const { writes, problems, notes } = await planImport(service, 'days.ndjson', rows(), given);
  const calls = nodes.calls().map(({ method, params: [at] }) => `${method} ${at}`);
  return { writes: writes.map(({ day }) => day), problems, notes, calls };
}

test('lets the hosts vote on the last block of each range', async () => {
  const { writes, problems, calls } = await plan([one, two]);
  expect([writes, problems]).toEqual([[one, two], []]);
  // Also read to find the anchor.
  expect(calls.filter((call) => call === 'eth_getBlockByNumber 0x7')).toHaveLength(2);
  expect(calls).not.toContain('eth_getBlockByNumber 0x4');
});

test('asks no host about days that a stored day continues by hash', async () => {
  await putStoredDay(table(), two, 0);
  expect(await plan([one])).toEqual({ writes: [one], problems: [], notes: [], calls: [] });
});

test('lets only days that the chain proves confirm others where it must', async () => {
  const refused = {
    writes: [],
    problems: [{ problem: expect.stringContaining('the word of hosts is not enough') }],
  };
  expect(await plan([one, two], { finality: 'proven' })).toMatchObject(refused);
  await putStoredDay(table(), two, 0);
  expect(await plan([one], { finality: 'proven' })).toMatchObject(refused);
  const proven = { ...two, links_to: { slot: 1, root: hash(1) } };
  await table().putIf({ ...proven, first_block: two.first_block });
  expect(await plan([one], { finality: 'proven' })).toMatchObject({ writes: [one], problems: [] });
});

test('asks no host about days that the running day continues', async () => {
  const day = '2026-11-20';
  const progress = { ...startDayProgress(day, refAt(sampleBlocks, 7)), first: refAt(sampleBlocks, 8) };
  await saveCheckpoint(store(), await getCheckpoint(store(), day), { progress, anchored: progress });
  expect(await plan([one, two])).toMatchObject({ writes: [one, two], calls: [] });
});

test.each([
  [
    'one host alone answers',
    { nodes: 1 },
    /: a quorum of 1 cannot confirm it\. Also import the days from there/,
  ],
  ['no endpoint answers', { nodes: 0 }, /: No endpoint gave a valid response for the finalized block of/],
  [
    'the hosts do not have the block',
    { answer: (call) => (Number(call.params[0]) === 7 ? { result: null } : answerWell(call)) },
    /: Block 7: no host has it\./,
  ],
] satisfies [string, Given, RegExp][])('refuses a range when %s', async (_, given, reason) => {
  const { writes, problems } = await plan([two, one], given);
  expect(writes).toEqual([]);
  expect(problems).toEqual([{ line: 1, problem: expect.stringMatching(reason) }]);
  expect(problems[0]?.problem).toMatch(
    /^nothing confirms block 7 \(0x\w{8}…\), the last of ETHEREUM 2026-11-18 to 2026-11-19: /,
  );
});

test('refuses a range that ends with a block of another chain, and not the others', async () => {
  await putStoredDay(table(), two, 0);
  const fork = reseal(sampleBlocks, 8, (block) => withHeader(block, { extraData: '0x01' }));
  const last = { number: 8, hash: fork[8]?.header.hash ?? '' };
  const foreign = { ...dayOfBlocks('2026-11-21', 8, 8), last_block: last, first_block: last };
  const { writes, problems } = await plan([one, foreign]);
  expect(writes).toEqual([one]);
  expect(problems).toEqual([
    { line: 2, problem: expect.stringMatching(`^the hosts report ${hash(8)}, not block 8 `) },
  ]);
});

test('refuses the days of a chain that the service does not ingest, unless a stored day continues them', async () => {
  const { problems } = await plan([{ ...one, chain: 'BSC' }]);
  expect(problems).toMatchObject([{ problem: expect.stringContaining('does not ingest BSC') }]);
});

test('a dry run asks no endpoint, and says what it did not check', async () => {
  const { writes, problems, notes, calls } = await plan([one, two], { options: { dryRun: true } });
  expect([writes, problems, calls]).toEqual([[one, two], [], []]);
  expect(notes).toEqual([
    expect.stringMatching(
      /^Not checked: whether hosts confirm block 7 \(.*\), the last of ETHEREUM 2026-11-18 to/,
    ),
  ]);
});
