import { NO_TOTALS } from '#core/figures/totals.ts';
import { getCoverage } from '#core/store/coverage.ts';
import { getDay, putDay } from '#core/store/days.ts';
import { refreshCoverage } from '#core/store/refresh-coverage.ts';
import { hashOf, provenance } from '#test/support/generators/builders.ts';
import { answerFrom } from '#test/support/generators/sample-chain.ts';
import { DAY, sampleBlock, sampleBlocks } from '#test/support/generators/sample-days.ts';
import { type NodeAnswer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';

const NEXT = '2026-11-19';
const EMPTY = '2026-11-20';
const { store, cli } = useAnnouncedTable(DAY);
const answerWell = answerFrom(sampleBlocks);

/** Stores the days of the sample chain as an earlier version did. */
async function putOlderDays(lastOfFirst = sampleBlock(4)) {
  const put = (day: string, last = sampleBlock(7), first?: number) =>
    putDay(
      store(),
      { day, totals: NO_TOTALS, first: first ? sampleBlock(first) : undefined, last, definitionVersion: 1 },
      provenance(),
    );
  await put(DAY, lastOfFirst, 1);
  await put(NEXT, sampleBlock(7), 5);
  await put(EMPTY);
  await refreshCoverage(store(), DAY);
}
const connect = (url: string, ...more: string[]) => cli(['connect', ...more], { ETHEREUM: [url] });
const parents = () =>
  Promise.all([DAY, NEXT, EMPTY].map(async (day) => (await getDay(store(), day))?.parentHash));

test('reads the headers of each day that an earlier version stored, and none again', async () => {
  await putOlderDays();
  await using node = await startJsonRpcServer(answerWell);
  const { code, stdout } = await connect(node.url);
  expect([code, stdout]).toEqual([
    0,
    'ETHEREUM: 2 days connected, and each day continues the day before.\n' +
      `${EMPTY} waits until the day after it is final.\n`,
  ]);
  expect(await parents()).toEqual([sampleBlock(0).hash, sampleBlock(4).hash, undefined]);
  expect((await getCoverage(store()))?.summary).toMatchObject({ unconnectedDays: 1 });
  expect((await connect(node.url, '--json')).stdout).toContain('"connected": 0');
  const ofDays = node.calls.filter(({ params: [number] }) => number === '0x1' || number === '0x5');
  expect(ofDays).toHaveLength(4);
});

test('reports a day that the day after it does not continue', async () => {
  await putOlderDays({ number: 4, hash: hashOf('elsewhere') });
  await using node = await startJsonRpcServer(answerWell);
  const { code, stdout } = await connect(node.url);
  expect(stdout).toMatch(
    new RegExp(
      `^ETHEREUM: 1 day connected\\.\n${EMPTY} waits until .*\n${DAY} not connected: ETHEREUM ${DAY} ends with block 4 .*, but ${NEXT} begins after block 4 .*Verify both days`,
    ),
  );
  expect(code).toBe(1);
});

test('connects the other days when one cannot be, and says why', async () => {
  await putOlderDays();
  const pruned: NodeAnswer = (call) =>
    call.params[0] === '0x1' ? { error: { code: -32000, message: 'pruned' } } : answerWell(call);
  await using node = await startJsonRpcServer(pruned);
  const { code, stdout } = await connect(node.url);
  expect(stdout).toMatch(/^ETHEREUM: 1 day connected\.\n.*\n2026-11-18 not connected: .*pruned/);
  expect(code).toBe(1);
  expect((await parents()).map((hash) => hash !== undefined)).toEqual([false, true, false]);
});

test('connects no day when no endpoint answers', async () => {
  await putOlderDays();
  const { code, stdout } = await connect('http://127.0.0.1:1');
  expect(stdout).toMatch(
    /^ETHEREUM: 0 days connected\.\n2026-11-18 to 2026-11-20 not connected: .*unreachable/,
  );
  expect(code).toBe(1);
});

test('Ctrl-C keeps the days connected so far, and prints the command that continues', async () => {
  await putOlderDays();
  await using silent = await startJsonRpcServer((call) =>
    call.params[0] === '0x1' ? { hang: true } : answerWell(call),
  );
  const { code, stdout, stderr } = await cli(
    ['connect', '--chain', 'ETHEREUM'],
    { ETHEREUM: [silent.url] },
    // The first output is the progress, after two seconds.
    (_, interrupt) => interrupt(),
  );
  expect(stdout).toMatch(/^ETHEREUM: 1 day connected/);
  expect(stderr).toContain('Stopped. To continue: npx --no chain-insights connect --chain ETHEREUM\n');
  expect(code).toBe(130);
  expect((await parents()).map((hash) => hash !== undefined)).toEqual([false, true, false]);
});

test('says when there is nothing to connect', async () => {
  await using node = await startJsonRpcServer(answerWell);
  const { code, stdout } = await connect(node.url);
  expect([code, stdout]).toEqual([0, 'ETHEREUM: all days are connected.\n']);
  expect(node.calls).toEqual([]);
});
