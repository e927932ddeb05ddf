import { addDays } from '../../../lambda/chains/utc-day.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import { getCoverage } from '../../../lambda/store/coverage.ts';
import { useAnnouncedTable } from '../../support/announced-table.ts';
import { type Call, startJsonRpcServer } from '../../support/json-rpc-server.ts';
import { answerFrom, sampleChain } from '../../support/sample-chain.ts';
import { at, DAY, publishWrongly, sampleBlocks, storedDays, wholeDays } from '../../support/sample-days.ts';

const LAST = addDays(DAY, 2);
const { table, cli } = useAnnouncedTable(LAST);
const store = () => chainStore(table(), 'ETHEREUM');
const answerWell = answerFrom(sampleBlocks);
const stored = () => storedDays(table());

const ingest = (url: string, ...more: string[]) =>
  cli(['ingest', '--chain', 'ETHEREUM', '--start-date', DAY, '--end-date', LAST, ...more], {
    ETHEREUM: [url],
  });

test('the missing days of a range become final, also those before the first that the schedule ingests', async () => {
  await using node = await startJsonRpcServer(answerWell);
  const { code, stdout } = await ingest(node.url);
  expect(stdout).toMatch(
    /^ETHEREUM is final now: 2026-11-18 to 2026-11-20 \(3 days, 7 blocks, in \d+ s\)\.\n$/,
  );
  expect(code).toBe(0);
  expect(await stored()).toEqual(wholeDays);
  expect(await getCoverage(store())).toMatchObject({ from: LAST, through: LAST });
});

test('what is final already is left as it is, and costs no call', async () => {
  await using node = await startJsonRpcServer(answerWell);
  await ingest(node.url);
  const calls = node.calls.length;
  const { code, stdout } = await ingest(node.url, '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    chain: 'ETHEREUM',
    final_before: 3,
    days: [],
    failed: [],
    left: [],
  });
  expect(code).toBe(0);
  expect(node.calls.length).toBe(calls);
});

test('a day that fails holds up no other, and says why', async () => {
  // It lies where the second day cannot join it.
  await publishWrongly(table(), LAST, 9, 9);
  await using node = await startJsonRpcServer(answerWell);
  const { code, stdout } = await ingest(node.url, '--json');
  const { final_before, days, failed } = JSON.parse(stdout);
  expect([final_before, days]).toEqual([1, [DAY]]);
  expect(failed).toEqual([
    { date: addDays(DAY, 1), reason: expect.stringContaining(`${LAST} does not begin where`) },
  ]);
  expect(code).toBe(3);
});

test('Ctrl-C keeps what is read, and the line that it says goes on from there', async () => {
  const silent = (call: Call) =>
    call.method === 'eth_getBlockReceipts' && Number(call.params[0]) === 7
      ? ({ hang: true } as const)
      : answerWell(call);
  await using node = await startJsonRpcServer(silent);
  const isStuck = () => node.calls.some((call) => 'hang' in silent(call));
  const parameters = [
    'ingest',
    '--chain',
    'ETHEREUM',
    '--start-date',
    DAY,
    '--end-date',
    LAST,
    '--days-at-once',
    '1',
  ];
  const { code, stdout, stderr } = await cli(parameters, { ETHEREUM: [node.url] }, (_, interrupt) => {
    if (isStuck()) interrupt();
  });
  expect(code).toBe(130);
  expect(stdout).toMatch(/^ETHEREUM is final now: 2026-11-18 /);
  const [, line = ''] = /Go on with: npx chain-insights (.*)/.exec(stderr) ?? [];
  await using well = await startJsonRpcServer(answerWell);
  expect(await cli(line.split(' '), { ETHEREUM: [well.url] })).toMatchObject({ code: 0 });
  expect(await stored()).toEqual(wholeDays);
  const asked = well.calls.filter(({ method }) => method === 'eth_getBlockReceipts');
  expect(asked.map(({ params }) => Number(params[0])).toSorted()).not.toContain(4);
});

test('days that the chain does not have fail for one reason, told once', async () => {
  const late = answerFrom(sampleChain([at(1, 5), at(1, 10), at(2, 0), at(3, 0)]));
  await using node = await startJsonRpcServer(late);
  const range = ['--start-date', addDays(DAY, -2), '--end-date', LAST];
  const { code, stdout } = await cli(['ingest', '--chain', 'ETHEREUM', ...range], { ETHEREUM: [node.url] });
  expect(stdout).toContain(
    `${addDays(DAY, -2)} to ${DAY} failed: ETHEREUM begins on ${addDays(DAY, 1)}, so it has no such day\n`,
  );
  expect(code).toBe(3);
});

/** Whoever is answered so does not ask again. */
const notAgain = { status: 503, body: '', headers: { 'retry-after': '3600' } };

test('a day that another run brought to its end meanwhile has not failed', async () => {
  const day = addDays(DAY, 1);
  await using node = await startJsonRpcServer(async (call) => {
    if (call.method !== 'eth_getBlockReceipts') return answerWell(call);
    await publishWrongly(table(), day, 5, 7);
    return notAgain;
  });
  const range = ['--start-date', day, '--end-date', day, '--json'];
  const { code, stdout } = await cli(['ingest', '--chain', 'ETHEREUM', ...range], { ETHEREUM: [node.url] });
  expect(JSON.parse(stdout)).toMatchObject({ days: [day], failed: [] });
  expect(code).toBe(0);
});

test('when no node answers, the first day says so, and the others are not tried', async () => {
  await using node = await startJsonRpcServer(() => notAgain);
  const url = `${node.url}/secret-token`;
  const { code, stdout, stderr } = await ingest(url, '--days-at-once', '1', '--json');
  const { failed, left } = JSON.parse(stdout);
  expect(failed).toEqual([{ date: DAY, reason: expect.stringContaining('HTTP status 503') }]);
  expect(left).toEqual([addDays(DAY, 1), LAST]);
  expect(stderr).toMatch(/^2 days left, which were not tried. Go on with: npx .* --days-at-once 1\n/m);
  expect(code).toBe(3);
  expect(stdout + stderr).not.toContain('secret-token');
});

test('nodes that are named are read in place of those of the service', async () => {
  await using node = await startJsonRpcServer(answerWell);
  const { code } = await ingest('http://127.0.0.1:1', '--rpc-url', node.url);
  expect(code).toBe(0);
  expect(await stored()).toEqual(wholeDays);
});

const TODAY = new Date().toISOString().slice(0, 10);

test.each([
  [
    ['--start-date', '2015-07-29', '--end-date', DAY],
    'ETHEREUM begins on 2015-07-30: there is no --start-date 2015-07-29.',
  ],
  [['--start-date', DAY, '--end-date', TODAY], `--end-date ${TODAY} is not over`],
  [
    ['--start-date', '2026-02-30', '--end-date', DAY],
    "argument '2026-02-30' is invalid. It is a UTC day: YYYY-MM-DD",
  ],
  [['--start-date', DAY], "required option '--end-date <day>' not specified"],
  [['--start-date', DAY, '--end-date', DAY, '--days-at-once', '0'], 'It is a whole number from 1 to 32.'],
])('%j is refused with the reason', async (range, message) => {
  const { code, stdout, stderr } = await cli(['ingest', '--chain', 'ETHEREUM', ...range], { ETHEREUM: [] });
  expect(stderr).toContain(message);
  expect([code, stdout]).toEqual([2, '']);
});

test('a chain that the service does not ingest is refused with those that it does', async () => {
  const range = ['--start-date', DAY, '--end-date', DAY];
  const { code, stderr } = await cli(['ingest', '--chain', 'BASE', ...range], { ETHEREUM: [] });
  expect(stderr).toMatch(/does not ingest BASE; it has ETHEREUM\.\n$/);
  expect(code).toBe(2);
});
