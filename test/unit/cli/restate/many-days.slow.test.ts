import type { Clock } from '#core/clock.ts';
import { reportedBy } from '#core/figures/block.ts';
import { addDays, type UtcDay } from '#core/figures/calendar.ts';
import { listRestatements } from '#core/store/days/checkpoints.ts';
import { listCheckedDays } from '#core/store/days/days.ts';
import { dayFigures, provenance } from '#test/support/generators/blocks/builders.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import {
  completeDays,
  DAY,
  sampleBlock,
  sampleBlocks,
  storedDays,
} from '#test/support/generators/chains/sample-days.ts';
import { startTwoNodes } from '#test/support/nodes/several-nodes.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';
import { putDay } from '#test/support/tables/put-day.ts';
import { getStoredDay } from '#test/support/tables/stored-day.ts';

// Endpoints that refuse a block are asked again after seconds.
jest.mock('#core/clock.ts', () => {
  const { systemClock }: { systemClock: Clock } = jest.requireActual('#core/clock.ts');
  const start = Date.now();
  const fast: Clock = {
    ...systemClock,
    now: () => start + 10 * (Date.now() - start),
    sleep: (ms, signal) => systemClock.sleep(ms / 10, signal),
  };
  return { systemClock: fast };
});

const NEXT = addDays(DAY, 1);
const EMPTY = addDays(DAY, 2);
const { table, store, cli } = useAnnouncedTable(DAY);
const startNodes = () => startTwoNodes(answerFrom(sampleBlocks));

/** Stores a day of sample blocks with zeros, as checked. */
const putChecked = (day: UtcDay, last: number, first?: number) =>
  putDay(
    store(),
    dayFigures(day, {
      parentHash: sampleBlock(first === undefined ? last : first - 1).hash,
      first: first === undefined ? undefined : sampleBlock(first),
      last: sampleBlock(last),
    }),
    provenance({ evidence: 'checked', provenBlocks: 0, finality: reportedBy([]) }),
  );

beforeEach(async () => {
  await putChecked(DAY, 4, 1);
  await putChecked(NEXT, 7, 5);
  await putChecked(EMPTY, 7);
});

const restate = ({ urls }: { readonly urls: readonly string[] }, ...more: string[]) =>
  cli(['restate', '--all-checked', '--yes', ...more], { ETHEREUM: urls });
const nobody = { urls: ['http://127.0.0.1:1'] };
const checkedDays = async () => (await listCheckedDays(store(), '0000-01-01')).map(({ date }) => date);

test('proves the newest checked days up to the limit, says how many remain, and continues with them', async () => {
  await using nodes = await startNodes();
  const first = await restate(nodes, '--limit', '2');
  expect(first.stderr).toContain('Restating 2 of 3 checked days (--limit 2).\n');
  expect(first.stdout).toBe(
    'Restated 2 days: every block is proven now.\n' +
      `ETHEREUM ${NEXT} changed: block_count, transaction_count, execution_fees, gas_used, priority_fees\n` +
      '1 checked day remains.\n',
  );
  expect(first.stderr).toContain(
    'To continue: npx --no chain-insights restate --all-checked --limit 2 --yes\n',
  );
  expect(await checkedDays()).toEqual([DAY]);

  const second = await restate(nodes, '--json');
  expect((await restate(nodes)).stdout).toBe('There is no checked day to restate.\n');
  expect(JSON.parse(second.stdout)).toEqual({
    restated: [{ chain: 'ETHEREUM', date: DAY, changed: expect.arrayContaining(['execution_fees']) }],
    failed: [],
    remaining: 0,
  });
  expect([first.code, second.code]).toEqual([0, 0]);
  expect(await storedDays(table())).toEqual(completeDays);
  expect(await getStoredDay(store(), DAY)).toMatchObject({
    evidence: 'proven',
    proven_blocks: 4,
    confirmed_by: [expect.any(String), expect.any(String)],
    revision: 2,
    restated: [{ reason: 'prove a day that was only checked', evidence: 'checked', transaction_count: 0 }],
  });
});

test('reports a day that no endpoint can prove, restates the others, and leaves nothing to the ingest', async () => {
  const answer = answerFrom(sampleBlocks);
  await using liars = await startTwoNodes((call) => {
    const response = answer(call);
    const isLie = call.method === 'eth_getBlockReceipts' && call.params[0] === '0x7' && 'result' in response;
    return isLie ? { result: (response.result as unknown[]).slice(1) } : response;
  });
  const { code, stdout } = await restate(liars);
  expect(stdout).toMatch(/^Restated 2 days: every block is proven now\.\n/);
  expect(stdout).toMatch(
    new RegExp(
      `\nETHEREUM ${NEXT} failed: .*${liars.nodes[0]?.host}: ETHEREUM block 7: receipts: 0 receipts of 1 transactions`,
    ),
  );
  expect(stdout).toMatch(/\n1 checked day remains\.\n$/);
  expect(code).toBe(1);
  expect(await checkedDays()).toEqual([NEXT]);
  expect(await listRestatements(store())).toMatchObject([{ day: NEXT, restatement: { isByHand: true } }]);
});

test('--no-wait requests the restatements, and does not request them twice', async () => {
  const first = await restate(nobody, '--no-wait', '--limit', '2');
  expect(first.stdout).toBe(
    'Requested the restatement of 2 days. The next ingest runs perform them.\n1 checked day remains.\n',
  );
  expect(await listRestatements(store())).toMatchObject([
    { day: NEXT, restatement: { isByHand: false } },
    { day: EMPTY, restatement: { isByHand: false } },
  ]);
  const second = await restate(nobody, '--no-wait');
  expect(second.stderr).toContain('ETHEREUM: 2 checked days left out: the ingest was requested');
  expect(second.stdout).toMatch(
    /^Requested the restatement of 1 day\. .*\nThere is no other checked day to restate\.\n$/,
  );
  expect((await listRestatements(store())).map(({ day }) => day)).toEqual([DAY, NEXT, EMPTY]);
});

test.each([
  [['--date', DAY], "'--all-checked' cannot be used with option '--date <day>'"],
  [['--rpc-url', 'http://127.0.0.1:1'], '--rpc-url applies to one chain. Name it with --chain.'],
])('refuses %j with the reason', async (parameters, message) => {
  const { code, stderr } = await restate(nobody, ...parameters);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});
