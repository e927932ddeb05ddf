import { systemClock } from '#core/clock.ts';
import { addDays } from '#core/figures/calendar.ts';
import { answerFrom, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { at, DAY } from '#test/support/generators/chains/sample-days.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { runIngest } from '#test/support/processes/run-ingest.ts';
import { startInProcessTable } from '#test/support/tables/in-process-table.ts';

/** Counts the calls of a run that reads days with one block each, and sends their events. */
async function countCalls(days: number): Promise<number> {
  const { through } = await startInProcessTable();
  let calls = 0;
  const table = through((handle) => (request) => {
    calls += 1;
    return handle(request);
  });
  const times = Array.from({ length: days + 2 }, (_, index) => at(index - 31, 43_200));
  await using node = await startJsonRpcServer(answerFrom(sampleChain(times)));
  // With a faster clock, checkpoints would fall due in the middle of days.
  const report = await runIngest(table, [node], {
    clock: systemClock,
    from: addDays(DAY, -30),
    sendEvent: () => Promise.resolve(),
  });
  expect(report.days).toHaveLength(days);
  return calls;
}

test('the ingest calls the table fewer than 33 times for each further day', async () => {
  const [few, many] = [await countCalls(3), await countCalls(13)];
  expect((many - few) / 10).toBeLessThan(33);
});
