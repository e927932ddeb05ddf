import { chainStore } from '#core/store/table/table.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { completeDays, sampleBlocks, storedDays } from '#test/support/generators/chains/sample-days.ts';
import { blocksRead, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { runIngest } from '#test/support/processes/run-ingest.ts';
import { readRows } from '#test/support/release/read-rows.ts';
import { loadRelease } from '#test/support/release/release.ts';
import { HALF_OF_SECOND_DAY, writeRows } from '#test/support/release/write-rows.ts';
import { useTable } from '#test/support/tables/table.ts';

/* A deployment replaces the ingest at once and query functions later, and a rollback may follow: each version reads the other's rows. */

const table = useTable();
const release = loadRelease();
const fillFromRelease = () => Promise.all(release.rows.map((row) => table().putIf(row)));
const bothRead = async () => {
  const store = chainStore(table(), 'ETHEREUM');
  return { ours: await readRows(store), theirs: await release.readRows(store) };
};

test('this version reads the rows of the last release as that one does', async () => {
  await fillFromRelease();
  const { ours, theirs } = await bothRead();
  expect(ours).toEqual(theirs);
  expect(ours).toMatchObject({
    days: [{}],
    checkpoints: [{ progress: {} }],
    restatements: [{}],
    unsent: [{}],
  });
});

test('the last release reads the rows of this version as this one does, with attributes that it does not know', async () => {
  await writeRows(table());
  for (const date of ['2026-11-18', 'coverage']) {
    const row = await table().getItem({ chain: 'ETHEREUM', date });
    await table().putIf({ ...row, seen_by: ['a.example'], of: { a: 1 } });
  }
  const { ours, theirs } = await bothRead();
  expect(theirs).toEqual(ours);
  expect(theirs).toMatchObject({
    days: [{}],
    checkpoints: [{ progress: {} }],
    coverage: { last_day: '2026-11-18' },
  });
});

test('the ingest continues after the days of the last release, within the day that it has half read', async () => {
  await fillFromRelease();
  await using node = await startJsonRpcServer(answerFrom(sampleBlocks));
  // The first run works on the requested restatement.
  for (let run = 0; run < 2; run++) await runIngest(table(), [node]);
  expect(await storedDays(table())).toEqual(completeDays);
  expect(blocksRead(node.calls)).not.toContain(HALF_OF_SECOND_DAY - 1);
});
