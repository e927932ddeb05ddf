import { addDays } from '../../../lambda/chains/utc-day.ts';
import { startProgress } from '../../../lambda/ingest/progress.ts';
import { publishDay } from '../../../lambda/ingest/publish.ts';
import { firstRestatement } from '../../../lambda/store/checkpoints.ts';
import { getCoverage } from '../../../lambda/store/coverage.ts';
import { useAnnouncedTable } from '../../support/announced-table.ts';
import { hashOf } from '../../support/builders.ts';
import { startJsonRpcServer } from '../../support/json-rpc-server.ts';
import { answerFrom } from '../../support/sample-chain.ts';
import { DAY, sampleBlocks, storedDays, wholeDays } from '../../support/sample-days.ts';

const NEXT = addDays(DAY, 1);
const { table, cli } = useAnnouncedTable(DAY);
const answerWell = answerFrom(sampleBlocks);
const block = (number: number) => ({ number, hash: hashOf(`sample ${number}`) });

/** A day with sums that no node gives. */
const publishWrongly = (day: string, first: number, last: number) =>
  publishDay(
    table(),
    'ETHEREUM',
    { ...startProgress(day, block(last)), first: block(first), hosts: [] },
    block(last + 1),
    0,
  );

const restate = (url: string, ...more: string[]) =>
  cli(['restate', '--chain', 'ETHEREUM', '--date', DAY, '--reason', 'a node lied', ...more], {
    ETHEREUM: [url],
  });

test('a wrong day gets the figures that its blocks give, and both are shown', async () => {
  await publishWrongly(DAY, 1, 4);
  await publishWrongly(NEXT, 5, 7);
  await using node = await startJsonRpcServer(answerWell);
  const { code, stdout } = await restate(node.url);
  expect(stdout).toMatch(/^ETHEREUM 2026-11-18 is restated: a node lied\n/);
  expect(stdout).toMatch(/\nblocks +0 +4 +≠\n/);
  expect(stdout).toMatch(/\nlast block +4 0x\w+… +4 0x\w+…\n/);
  expect(code).toBe(0);
  expect(await storedDays(table())).toMatchObject([wholeDays[0], { day: NEXT, blocks: 0 }]);
  expect(await firstRestatement(table(), 'ETHEREUM')).toBeUndefined();
  expect(await getCoverage(table(), 'ETHEREUM')).toMatchObject({ through: NEXT });
});

test('where the day now ends with another block, the next is read again too', async () => {
  await publishWrongly(DAY, 1, 3);
  await publishWrongly(NEXT, 4, 7);
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
  await publishWrongly(DAY, 1, 4);
  const { code, stdout } = await restate('http://127.0.0.1:1', '--no-wait');
  expect([code, stdout]).toEqual([
    0,
    'ETHEREUM 2026-11-18 will be read again by the next run of the ingest.\n',
  ]);
  expect(await firstRestatement(table(), 'ETHEREUM')).toMatchObject({
    day: DAY,
    restatement: { reason: 'a node lied', requestedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
  });
});

test('one that was asked for before is gone on with, under its own reason', async () => {
  await publishWrongly(DAY, 1, 4);
  await restate('http://127.0.0.1:1', '--no-wait');
  await using node = await startJsonRpcServer(answerWell);
  const { stdout, stderr } = await restate(node.url, '--reason', 'another');
  expect(stderr).toMatch(/is being restated already, since .*: a node lied\n/);
  expect(stdout).toMatch(/is restated: a node lied\n/);
});

test('as long as it cannot be read again the old figures stand, and the message says how to go on', async () => {
  await publishWrongly(DAY, 1, 4);
  const { code, stdout, stderr } = await restate('http://127.0.0.1:1/secret-token');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/ETHEREUM 2026-11-18 could not be read again: .*not reached.*the old figures stand/);
  expect(stderr).toContain('npx chain-insights restate --chain ETHEREUM --date 2026-11-18 --reason');
  expect(stderr).not.toContain('secret-token');
  expect(await storedDays(table())).toMatchObject([{ day: DAY, transactions: 0 }]);
});

test('a day that is not final is refused with the command that reads it', async () => {
  const { code, stderr } = await restate('http://127.0.0.1:1');
  expect(code).toBe(1);
  expect(stderr).toContain(
    `npx chain-insights ingest --chain ETHEREUM --start-date ${DAY} --end-date ${DAY}`,
  );
});

test('an empty reason is refused', async () => {
  expect(await restate('http://127.0.0.1:1', '--reason', ' ')).toMatchObject({
    code: 2,
    stderr: '--reason is empty: say why.\n',
  });
});
