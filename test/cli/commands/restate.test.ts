import { addDays } from '../../../lambda/chains/utc-day.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import { listRestatements } from '../../../lambda/store/restatements.ts';
import { getCoverage } from '../../../lambda/store/coverage.ts';
import { useAnnouncedTable } from '../../support/announced-table.ts';
import { type Answer, type Call, startJsonRpcServer } from '../../support/json-rpc-server.ts';
import { answerFrom } from '../../support/sample-chain.ts';
import { DAY, publishWrongly, sampleBlocks, storedDays, wholeDays } from '../../support/sample-days.ts';

const NEXT = addDays(DAY, 1);
const { table, cli } = useAnnouncedTable(DAY);
const store = () => chainStore(table(), 'ETHEREUM');
const answerWell = answerFrom(sampleBlocks);
const restate = (url: string, ...more: string[]) =>
  cli(['restate', '--chain', 'ETHEREUM', '--date', DAY, '--reason', 'a node lied', ...more], {
    ETHEREUM: [url],
  });

test('a wrong day gets the figures that its blocks give, and both are shown', async () => {
  await publishWrongly(table(), DAY, 1, 4);
  await publishWrongly(table(), NEXT, 5, 7);
  await using node = await startJsonRpcServer(answerWell);
  const { code, stdout } = await restate(node.url);
  expect(stdout).toMatch(/^ETHEREUM 2026-11-18 is restated: a node lied\n/);
  expect(stdout).toMatch(/\nblocks +0 +4 +≠\n/);
  expect(stdout).toMatch(/\nlast block +4 0x\w+… +4 0x\w+…\n/);
  expect(code).toBe(0);
  expect(await storedDays(table())).toMatchObject([wholeDays[0], { day: NEXT, blocks: 0 }]);
  expect((await listRestatements(store()))[0]).toBeUndefined();
  expect(await getCoverage(store())).toMatchObject({ through: NEXT });
});

test('where the day now ends with another block, the next is read again too', async () => {
  await publishWrongly(table(), DAY, 1, 3);
  await publishWrongly(table(), NEXT, 4, 7);
  await using node = await startJsonRpcServer(answerWell);
  const { stdout } = await restate(node.url, '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ chain: 'ETHEREUM', date: DAY, state: 'restated', days: [DAY, NEXT] },
    changed: expect.arrayContaining(['block_count', 'last_block']),
    before: { block_count: 0, execution_fees: '0' },
    after: { block_count: 4 },
  });
  expect(await storedDays(table())).toEqual(wholeDays.slice(0, 2));
});

test('it may be left to the runs of the ingest', async () => {
  await publishWrongly(table(), DAY, 1, 4);
  const { code, stdout } = await restate('http://127.0.0.1:1', '--no-wait');
  expect([code, stdout]).toEqual([
    0,
    'ETHEREUM 2026-11-18 will be read again by the next run of the ingest.\n',
  ]);
  expect((await listRestatements(store()))[0]).toMatchObject({
    day: DAY,
    restatement: { reason: 'a node lied', requestedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
  });
});

test('one that was asked for before is gone on with, under its own reason', async () => {
  await publishWrongly(table(), DAY, 1, 4);
  await restate('http://127.0.0.1:1', '--no-wait');
  await using node = await startJsonRpcServer(answerWell);
  const { stdout, stderr } = await restate(node.url, '--reason', 'another');
  expect(stderr).toMatch(/is being restated already, since .*: a node lied\n/);
  expect(stdout).toMatch(/is restated: a node lied\n/);
});

/** A node that knows its chain, and no block of the day any more. It is not asked twice. */
const pruned = (call: Call): Answer =>
  call.method === 'eth_getBlockReceipts'
    ? {
        status: 500,
        body: '{"error":{"code":-32000,"message":"pruned"}}',
        headers: { 'retry-after': '3600' },
      }
    : answerWell(call);
const requests = () => listRestatements(store());

test('as long as it cannot be read again the old figures stand, and the runs of the ingest go on with it', async () => {
  await publishWrongly(table(), DAY, 1, 4);
  await using node = await startJsonRpcServer(pruned);
  const { code, stdout, stderr } = await restate(node.url);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /ETHEREUM 2026-11-18 could not be read again: .*pruned.*the old figures stand\. The next runs/,
  );
  expect(await storedDays(table())).toMatchObject([{ day: DAY, transactions: 0 }]);
  expect(await requests()).toMatchObject([{ day: DAY, restatement: { isByHand: false } }]);
});

test('from nodes that are named it is left alone by the runs of the ingest, and the message says how to go on', async () => {
  await publishWrongly(table(), DAY, 1, 4);
  await using node = await startJsonRpcServer(pruned);
  const url = `${node.url}/secret-token`;
  const { code, stderr } = await restate('http://127.0.0.1:1', '--rpc-url', url);
  expect(code).toBe(1);
  expect(await requests()).toMatchObject([{ day: DAY, restatement: { isByHand: true } }]);
  expect(stderr).toContain(
    `npx chain-insights restate --chain ETHEREUM --date ${DAY} --reason 'a node lied' --rpc-url …`,
  );
  expect(stderr).not.toContain('secret-token');
  await using well = await startJsonRpcServer(answerWell);
  expect(await restate('http://127.0.0.1:1', '--rpc-url', well.url)).toMatchObject({ code: 0 });
  expect(await storedDays(table())).toEqual(wholeDays.slice(0, 1));
  expect(await requests()).toEqual([]);
});

test('when its nodes are away nothing is asked for', async () => {
  await publishWrongly(table(), DAY, 1, 4);
  await using away = await startJsonRpcServer(() => ({
    status: 503,
    body: '',
    headers: { 'retry-after': '3600' },
  }));
  const { code, stdout, stderr } = await restate(away.url);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Nothing was asked for, because no endpoint gave a valid answer .*503/);
  expect(await requests()).toEqual([]);
});

test('what the runs of the ingest are to read from their own nodes is not read from others meanwhile', async () => {
  await publishWrongly(table(), DAY, 1, 4);
  await restate('http://127.0.0.1:1', '--no-wait');
  await using node = await startJsonRpcServer(answerWell);
  const { code, stderr } = await restate('http://127.0.0.1:1', '--rpc-url', node.url);
  expect(code).toBe(1);
  expect(stderr).toContain('The service reads it from its own nodes: wait until that is done.');
});

test.each([
  [
    'that is not final, with the command that reads it',
    DAY,
    /npx chain-insights ingest --chain ETHEREUM --start-date/,
  ],
  [
    'that is not over, without one',
    '2099-01-01',
    /ETHEREUM 2099-01-01 is not final, so there is nothing to restate\.\n$/,
  ],
])('a day is refused %s', async (_, day, message) => {
  const { code, stderr } = await restate('http://127.0.0.1:1', '--date', day);
  expect(stderr).toMatch(message);
  expect(code).toBe(1);
});

test.each([
  [['--reason', ' '], '--reason is empty: say why.'],
  [['--no-wait', '--rpc-url', 'http://127.0.0.1:1'], 'leave out --rpc-url or --no-wait.'],
])('%j is refused with the reason', async (parameters, message) => {
  const { code, stderr } = await restate('http://127.0.0.1:1', ...parameters);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});
