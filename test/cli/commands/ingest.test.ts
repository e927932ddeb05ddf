import { addDays } from '../../../lambda/chains/utc-day.ts';
import { getCoverage } from '../../../lambda/store/coverage.ts';
import { useAnnouncedTable } from '../../support/announced-table.ts';
import { type Call, startJsonRpcServer } from '../../support/json-rpc-server.ts';
import { answerFrom } from '../../support/sample-chain.ts';
import { DAY, sampleBlocks, storedDays, wholeDays } from '../../support/sample-days.ts';

const LAST = addDays(DAY, 2);
const { table, cli } = useAnnouncedTable(LAST);
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
  expect(await getCoverage(table(), 'ETHEREUM')).toMatchObject({ from: LAST, through: LAST });
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

/** A node that does not have the last block of the second day. */
const withoutSecondDay = (call: Call) =>
  call.method === 'eth_getBlockReceipts' && Number(call.params[0]) === 7
    ? { error: { code: -32000, message: 'missing trie node' } }
    : answerWell(call);

test('a day that fails holds up no other, and says why', async () => {
  await using node = await startJsonRpcServer(withoutSecondDay);
  const { code, stdout } = await ingest(node.url, '--json');
  const { days, failed } = JSON.parse(stdout);
  expect(days).toEqual([DAY, LAST]);
  expect(failed).toEqual([{ date: addDays(DAY, 1), reason: expect.stringContaining('missing trie node') }]);
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

test('when no node can be reached, the first days say so, and the others are not tried', async () => {
  const { code, stdout, stderr } = await ingest(
    'http://127.0.0.1:1/secret-token',
    '--days-at-once',
    '1',
    '--json',
  );
  const { failed, left } = JSON.parse(stdout);
  expect(failed).toEqual([
    { date: DAY, reason: expect.stringContaining('127.0.0.1:1: eth_chainId: not reached') },
  ]);
  expect(left).toEqual([addDays(DAY, 1), LAST]);
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
  [['--start-date', LAST, '--end-date', DAY], '--start-date 2026-11-20 comes after --end-date 2026-11-18.'],
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
