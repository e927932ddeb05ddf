import { setTimeout as sleep } from 'node:timers/promises';
import { addDays } from '#core/figures/calendar.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { answerFrom, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import {
  at,
  completeDays,
  DAY,
  publishWrongly,
  sampleBlocks,
  storedDays,
} from '#test/support/generators/chains/sample-days.ts';
import { type Call, startJsonRpcServer, UNAVAILABLE } from '#test/support/nodes/json-rpc-server.ts';
import { startTwoNodes } from '#test/support/nodes/several-nodes.ts';
import { runIngest } from '#test/support/processes/run-ingest.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';

const LAST = addDays(DAY, 2);
const { table, store, cli } = useAnnouncedTable(LAST);
const answerWell = answerFrom(sampleBlocks);
const stored = () => storedDays(table());

const ingest = (urls: string | readonly string[], ...more: string[]) =>
  cli(['ingest', '--chain', 'ETHEREUM', '--start-date', DAY, '--end-date', LAST, ...more], {
    ETHEREUM: [urls].flat(),
  });

test('ingests the missing days of a range, including days before the first scheduled one', async () => {
  // The days are published more slowly than they are read, so that a bar is shown.
  const read = new Set<unknown>();
  await using nodes = await startTwoNodes((call) => {
    if (call.method === 'eth_getBlockReceipts') read.add(call.params[0]);
    return sleep(read.size < 7 ? 0 : 400, answerWell(call));
  });
  const { code, stdout, stderr } = await ingest(nodes.urls);
  expect(stderr).toMatch(/^0%, 0 days, publishing\n100%, 3 days, publishing$/m);
  expect(stdout).toMatch(
    /^ETHEREUM: 3 days became final: 2026-11-18 to 2026-11-20 \(7 blocks in \d+s\)\.\n$/,
  );
  expect(code).toBe(0);
  expect(await stored()).toEqual(completeDays);
  expect(await getCoverage(store())).toMatchObject({ from_day: LAST, through_day: LAST });
});

test('lets days wait with one node, and makes them final once the day after is', async () => {
  await using node = await startJsonRpcServer(answerWell);
  const before = await ingest(node.url);
  expect(before.stdout).toMatch(
    /^ETHEREUM: no day became final \(7 blocks in \d+s\)\.\n2026-11-18 to 2026-11-20 read, final once the day after is: a quorum of 1 cannot confirm the block after them\.\n$/,
  );
  expect([before.code, await stored()]).toEqual([0, []]);
  await runIngest(table(), [node], { from: addDays(LAST, 1) });
  const after = await ingest(node.url, '--json');
  expect(JSON.parse(after.stdout)).toMatchObject({ waiting: [], blocks: 0 });
  expect(await stored()).toEqual(completeDays);
});

test('skips final days without a call', async () => {
  await using nodes = await startTwoNodes(answerWell);
  await ingest(nodes.urls);
  const calls = nodes.calls().length;
  const { code, stdout } = await ingest(nodes.urls, '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    chain: 'ETHEREUM',
    final_before: 3,
    days: [],
    failed: [],
    left: [],
  });
  expect(code).toBe(0);
  expect(nodes.calls()).toHaveLength(calls);
});

test('ingests the other days when one fails, and reports the reason', async () => {
  // The final day after the second leaves out its own first block.
  await publishWrongly(table(), LAST, 9, 9);
  await using nodes = await startTwoNodes(answerWell);
  const { code, stdout } = await ingest(nodes.urls, '--json');
  const { final_before, days, failed } = JSON.parse(stdout);
  expect([final_before, days]).toEqual([1, [DAY]]);
  const reason = expect.stringContaining('block 8 (0x');
  expect(failed).toEqual([{ date: addDays(DAY, 1), reason }]);
  expect(code).toBe(1);
});

test('Ctrl-C saves the blocks read, and the printed command continues after them', async () => {
  const silent = (call: Call) =>
    call.method === 'eth_getBlockReceipts' && Number(call.params[0]) === 7
      ? ({ hang: true } as const)
      : answerWell(call);
  await using nodes = await startTwoNodes(silent);
  const isStuck = () => nodes.calls().some((call) => 'hang' in silent(call));
  const range = ['--start-date', DAY, '--end-date', LAST, '--days-at-once', '1'];
  const parameters = ['ingest', '--chain', 'ETHEREUM', ...range];
  const { code, stdout, stderr } = await cli(parameters, { ETHEREUM: nodes.urls }, (_, interrupt) => {
    if (isStuck()) interrupt();
  });
  expect(code).toBe(130);
  expect(stdout).toMatch(
    /^ETHEREUM: no day became final \(1 block in \d+s\)\.\n2026-11-20 read, .*: the command was stopped before/,
  );
  const [, line = ''] = /To continue:\n {2}npx --no chain-insights (.*)/.exec(stderr) ?? [];
  await using well = await startTwoNodes(answerWell);
  // Without the block that was saved.
  const stdoutAfter = expect.stringMatching(/^ETHEREUM: 3 days became final: .* \(6 blocks in /);
  expect(await cli(line.split(' '), { ETHEREUM: well.urls })).toMatchObject({ code: 0, stdout: stdoutAfter });
  expect(await stored()).toEqual(completeDays);
});

test('groups days that fail for the same reason, also if that names each day', async () => {
  const unfinalized = answerFrom(sampleChain([at(0, 5), at(1, 5), at(1, 10)]));
  await using node = await startJsonRpcServer(unfinalized);
  const { code, stdout } = await ingest(node.url);
  expect(stdout).toContain(
    `${addDays(DAY, 1)} to ${LAST} failed: the chain has not finalized it yet; try again later\n`,
  );
  expect(code).toBe(1);
  const days = ['--start-date', '2026-11-15', '--end-date', '2026-11-16'];
  const early = await cli(['ingest', '--chain', 'ETHEREUM', ...days], { ETHEREUM: [node.url] });
  expect(early.stdout).toMatch(/^2026-11-15 to 2026-11-16 failed: .* 2026-11-15\. .*; add a host, or /m);
});

test('does not report a failed day that another run has ingested', async () => {
  const day = addDays(DAY, 1);
  let published: Promise<void> | undefined;
  await using node = await startJsonRpcServer(async (call) => {
    if (call.method !== 'eth_getBlockReceipts') return answerWell(call);
    published ??= publishWrongly(table(), day, 5, 7);
    await published;
    return UNAVAILABLE;
  });
  const range = ['--start-date', day, '--end-date', day, '--json'];
  const { code, stdout } = await cli(['ingest', '--chain', 'ETHEREUM', ...range], { ETHEREUM: [node.url] });
  expect(JSON.parse(stdout)).toMatchObject({ days: [day], failed: [] });
  expect(code).toBe(0);
});

test('does not start further days when no endpoint responds', async () => {
  await using node = await startJsonRpcServer(() => UNAVAILABLE);
  const url = `${node.url}/secret-token`;
  const { code, stdout, stderr } = await ingest(url, '--days-at-once', '1', '--json');
  const { failed, left } = JSON.parse(stdout);
  expect(failed).toEqual([{ date: LAST, reason: expect.stringContaining('HTTP status 503') }]);
  expect(left).toEqual([DAY, addDays(DAY, 1)]);
  expect(stderr).toMatch(
    /^2 days not started, because .* unreachable\. To continue:\n {2}npx .* --days-at-once 1\n/m,
  );
  expect(code).toBe(1);
  expect(stdout + stderr).not.toContain('secret-token');
  const words = 'ingest --chain ETHEREUM --start-date yesterday --end-date 2999-01-01'.split(' ');
  const future = await cli(words, { ETHEREUM: [url] });
  expect(future.stderr).toMatch(/^Days after \S+ are left out, because they are not over \(UTC\)\.\n/);
});

test('reads from the --rpc-url override instead of the endpoints of the service', async () => {
  await using nodes = await startTwoNodes(answerWell);
  const { code } = await ingest('http://127.0.0.1:1', '--rpc-url', ...nodes.urls);
  expect(code).toBe(0);
  expect(await stored()).toEqual(completeDays);
});

const TODAY = new Date().toISOString().slice(0, 10);

test.each([
  [
    ['--start-date', '2015-07-01', '--end-date', '2015-07-29'],
    'No day of ETHEREUM in this range is complete. Choose days from 2015-07-30 to ',
  ],
  [['--start-date', TODAY, '--end-date', TODAY], 'No day of ETHEREUM in this range is complete.'],
  [
    ['--start-date', '2026-02-30', '--end-date', DAY],
    "argument '2026-02-30' is invalid. Expected a UTC day: YYYY-MM-DD",
  ],
  [['--start-date', DAY], "required option '--end-date <day>' not specified"],
  [
    ['--chain', 'BASE', '--start-date', DAY, '--end-date', DAY],
    'does not ingest BASE. It ingests ETHEREUM.\n',
  ],
  [['--start-date', DAY, '--end-date', DAY, '--days-at-once', '0'], 'Expected a whole number from 1 to 32.'],
])('refuses %j with the reason', async (range, message) => {
  const { code, stdout, stderr } = await cli(['ingest', '--chain', 'ETHEREUM', ...range], { ETHEREUM: [] });
  expect(stderr).toContain(message);
  expect([code, stdout]).toEqual([2, '']);
});
