import { addDays } from '#core/figures/calendar.ts';
import { listConflicts, saveConflict } from '#core/store/chain/conflicts.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { listRestatements } from '#core/store/days/checkpoints.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import {
  completeDays,
  DAY,
  publishWrongly,
  sampleBlocks,
  storedDays,
} from '#test/support/generators/chains/sample-days.ts';
import {
  blocksRead,
  type NodeAnswer,
  startJsonRpcServer,
  UNAVAILABLE,
} from '#test/support/nodes/json-rpc-server.ts';
import { startTwoNodes } from '#test/support/nodes/several-nodes.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';
import { getStoredDay } from '#test/support/tables/stored-day.ts';

const NEXT = addDays(DAY, 1);
const { table, store, cli } = useAnnouncedTable(DAY);
const answerWell = answerFrom(sampleBlocks);
const restate = (urls: string | readonly string[], ...more: string[]) =>
  cli(
    [
      ...['restate', '--chain', 'ETHEREUM', '--reason', 'wrong receipts', '--yes'],
      ...(more.includes('--date') ? [] : ['--date', DAY]),
      ...more,
    ],
    { ETHEREUM: [urls].flat() },
  );

test('asks first, with the figures at stake, and says that the reason is public', async () => {
  await publishWrongly(table(), DAY, 1, 4);
  const words = ['restate', '--chain', 'ETHEREUM', '--date', DAY, '--reason', 'wrong receipts'];
  const { code, stderr } = await cli(words, { ETHEREUM: ['http://127.0.0.1:1'] });
  expect(stderr).toMatch(/^ETHEREUM 2026-11-18 now: 0 transactions, fees of 0 ETH, blocks 1 to 4\.\n/);
  expect(stderr).toContain('for everyone with a key: "wrong receipts"\n');
  expect(stderr).toMatch(/\nNo restatement was requested: without a terminal, confirm with --yes\.\n$/);
  expect(code).toBe(2);
});

test('unchanged figures raise no revision, and leave no request', async () => {
  await using nodes = await startTwoNodes(answerWell);
  await publishWrongly(table(), DAY, 1, 4);
  await restate(nodes.urls);
  const before = await getStoredDay(store(), DAY);
  const { code, stdout } = await restate(nodes.urls);
  expect(stdout).toMatch(/^ETHEREUM 2026-11-18 read again\n/);
  expect(stdout).toContain('The figures have not changed');
  expect(code).toBe(0);
  expect(await getStoredDay(store(), DAY)).toEqual(before);
  expect(await listRestatements(store())).toEqual([]);
});

test('replaces wrong figures and prints both revisions', async () => {
  await publishWrongly(table(), DAY, 1, 4);
  await publishWrongly(table(), NEXT, 5, 7);
  await using node = await startJsonRpcServer(answerWell);
  const { code, stdout } = await restate(node.url);
  expect(stdout).toMatch(/^ETHEREUM 2026-11-18 restated: wrong receipts\n/);
  expect(stdout).toMatch(/\nblock_count +0 +4 +≠\n/);
  expect(stdout).toMatch(/\nlast_block +4 0x\w+… +4 0x\w+…\n/);
  expect(code).toBe(0);
  expect(await storedDays(table())).toMatchObject([completeDays[0], { day: NEXT, blocks: 0 }]);
  expect((await listRestatements(store()))[0]).toBeUndefined();
  expect(await getCoverage(store())).toMatchObject({ through_day: NEXT });
});

test('restates the day before too when the first block changes', async () => {
  await publishWrongly(table(), DAY, 1, 3);
  await publishWrongly(table(), NEXT, 4, 7);
  await using nodes = await startTwoNodes(answerWell);
  const { stdout } = await restate(nodes.urls, '--date', NEXT, '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    chain: 'ETHEREUM',
    date: NEXT,
    state: 'restated',
    days: [NEXT, DAY],
    changed: expect.arrayContaining(['block_count', 'parent_hash', 'first_block']),
    before: { block_count: 0, execution_fees: '0' },
    after: { block_count: 3 },
  });
  expect(await storedDays(table())).toEqual(completeDays.slice(0, 2));
});

test('says which days before were read again', async () => {
  await publishWrongly(table(), DAY, 1, 3);
  await publishWrongly(table(), NEXT, 4, 7);
  await using nodes = await startTwoNodes(answerWell);
  const { stdout } = await restate(nodes.urls, '--date', NEXT);
  expect(stdout).toMatch(
    /\nIts first block changed, so the days before it were read again too: 2026-11-18\n$/,
  );
});

test('keeps the old figures while one host alone reports the block after the day, and no day follows', async () => {
  await publishWrongly(table(), DAY, 1, 4);
  await using node = await startJsonRpcServer(answerWell);
  const { code, stderr } = await restate(node.url);
  expect(stderr).toMatch(
    /^Restating ETHEREUM 2026-11-18 failed: its blocks are read, but the day after it is not final.* The next ingest runs continue it\.\n$/m,
  );
  expect(code).toBe(1);
  expect(await storedDays(table())).toMatchObject([{ day: DAY, blocks: 0 }]);
  // The blocks are not read twice.
  const read = blocksRead(node.calls);
  await publishWrongly(table(), NEXT, 5, 7);
  expect((await restate(node.url)).code).toBe(0);
  expect(await storedDays(table())).toMatchObject([completeDays[0], { day: NEXT }]);
  expect(blocksRead(node.calls)).toEqual(read);
});

test('--no-wait only requests the restatement', async () => {
  await publishWrongly(table(), DAY, 1, 4);
  const { code, stdout } = await restate('http://127.0.0.1:1', '--no-wait');
  expect([code, stdout]).toEqual([
    0,
    'ETHEREUM 2026-11-18: restatement requested. The next ingest run performs it.\n',
  ]);
  expect((await listRestatements(store()))[0]).toMatchObject({
    day: DAY,
    restatement: { reason: 'wrong receipts', requestedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
  });
});

test('performs a pending restatement under its own reason', async () => {
  await publishWrongly(table(), DAY, 1, 4);
  await restate('http://127.0.0.1:1', '--no-wait');
  await using nodes = await startTwoNodes(answerWell);
  const { stdout, stderr } = await restate(nodes.urls, '--reason', 'another');
  expect(stderr).toMatch(/a restatement is pending since .*, with the reason "wrong receipts"\.\n/);
  expect(stdout).toMatch(/ restated: wrong receipts\n/);
});

/** A node without the receipts of the day. The client does not retry. */
const pruned: NodeAnswer = (call) =>
  call.method === 'eth_getBlockReceipts'
    ? {
        status: 500,
        body: '{"error":{"code":-32000,"message":"pruned"}}',
        headers: { 'retry-after': '3600' },
      }
    : answerWell(call);
const requests = () => listRestatements(store());

test('keeps the old figures when the day cannot be read, and leaves the restatement to the ingest', async () => {
  await publishWrongly(table(), DAY, 1, 4);
  await using node = await startJsonRpcServer(pruned);
  const { code, stdout, stderr } = await restate(node.url);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /Restating ETHEREUM 2026-11-18 failed: .*pruned.*The old figures stay until it is done\. The next ingest runs/,
  );
  expect(await storedDays(table())).toMatchObject([{ day: DAY, transactions: 0 }]);
  expect(await requests()).toMatchObject([{ day: DAY, restatement: { isByHand: false } }]);
});

test('never leaves a restatement with --rpc-url to the ingest, and prints how to continue', async () => {
  await publishWrongly(table(), DAY, 1, 4);
  await using node = await startJsonRpcServer(pruned);
  const url = `${node.url}/secret-token`;
  const { code, stderr } = await restate('http://127.0.0.1:1', '--rpc-url', url);
  expect(code).toBe(1);
  expect(await requests()).toMatchObject([{ day: DAY, restatement: { isByHand: true } }]);
  expect(stderr).toContain(
    `npx --no chain-insights restate --chain ETHEREUM --date ${DAY} --reason 'wrong receipts' --rpc-url …`,
  );
  expect(stderr).not.toContain('secret-token');
  await using well = await startTwoNodes(answerWell);
  expect(await restate('http://127.0.0.1:1', '--rpc-url', ...well.urls)).toMatchObject({ code: 0 });
  expect(await storedDays(table())).toEqual(completeDays.slice(0, 1));
  expect(await requests()).toEqual([]);
});

test('requests nothing when no endpoint responds', async () => {
  await publishWrongly(table(), DAY, 1, 4);
  await using away = await startJsonRpcServer(() => UNAVAILABLE);
  const { code, stdout, stderr } = await restate(away.url);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^No restatement was requested: .*503/);
  expect(await requests()).toEqual([]);
});

test('refuses --rpc-url while the service has a pending restatement of the day', async () => {
  await publishWrongly(table(), DAY, 1, 4);
  await restate('http://127.0.0.1:1', '--no-wait');
  await using node = await startJsonRpcServer(answerWell);
  const { code, stderr } = await restate('http://127.0.0.1:1', '--rpc-url', node.url);
  expect(code).toBe(1);
  expect(stderr).toContain('The service performs it from its own endpoints. Wait until it is done.');
});

test.each([
  ['a day', '2026-11-18', '2026-11-18'],
  ['the dispute about the final block', 'final-block', undefined],
])('--settle ends the conflict of %s, and fails when it is settled already', async (_, date, day) => {
  const settle = () => cli(['restate', '--settle', '--chain', 'ETHEREUM', '--date', date], { ETHEREUM: [] });
  await saveConflict(store(), { day, reason: 'why', since: 0 });
  expect(await settle()).toMatchObject({ code: 0, stdout: `Settled the conflict of ETHEREUM ${date}.\n` });
  expect(await listConflicts(store())).toEqual([]);
  const again = await settle();
  expect(again.code).toBe(1);
  expect(again.stderr).toContain(`ETHEREUM ${date} has no open conflict. To list them: `);
});

const NO_NODE = 'http://127.0.0.1:1';
const REASON = ['--reason', 'x'];

test.each([
  // A day that is not final yet, and one that is not complete.
  [['--date', DAY, ...REASON], 1, /npx --no chain-insights ingest --chain ETHEREUM --start-date/],
  [['--date', '2099-01-01', ...REASON], 1, /2099-01-01 is not final, so it cannot be restated\.\n$/],
  [['--date', DAY, '--reason', ' '], 2, /--reason is empty\. Give the reason/],
  [
    ['--date', DAY, '--reason', 'x'.repeat(501)],
    2,
    /has 501 characters, and 500 at most are stored with a day\./,
  ],
  [['--date', DAY, ...REASON, '--no-wait', '--rpc-url', NO_NODE], 2, /--no-wait does not accept --rpc-url/],
  [['--date', 'final-block', ...REASON], 2, /^--date final-block is not a day\. Add --settle\./],
  [['--settle', '--date', DAY, ...REASON], 2, /'--settle' cannot be used with option '--reason/],
  [['--settle', '--date', DAY, '--no-wait'], 2, /'--settle' cannot be used with option '--no-wait'/],
])('refuses %j with the exit code %d and the reason', async (words, exitCode, message) => {
  const parameters = ['restate', '--chain', 'ETHEREUM', ...words];
  const { code, stderr } = await cli(parameters, { ETHEREUM: [NO_NODE] });
  expect([code, stderr]).toEqual([exitCode, expect.stringMatching(message)]);
});
