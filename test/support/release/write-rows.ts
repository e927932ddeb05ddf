import { saveConflict } from '#core/store/chain/conflicts.ts';
import { requestRestatement } from '#core/store/days/checkpoints.ts';
import { chainStore, type Table } from '#core/store/table/table.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { DAY, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { runIngest } from '#test/support/processes/run-ingest.ts';

/** The second day has blocks 5 to 7. */
export const HALF_OF_SECOND_DAY = 6;

/** Writes rows of all kinds: a final day, a half-read one, a requested restatement, a conflict. */
export async function writeRows(table: Table): Promise<void> {
  const store = chainStore(table, 'ETHEREUM');
  await using node = await startJsonRpcServer(answerFrom(sampleBlocks, { finalized: HALF_OF_SECOND_DAY }));
  await runIngest(table, [node]);
  await requestRestatement(store, DAY, { reason: 'a node lied', requestedAt: '2026-11-21T08:00:00Z' });
  await saveConflict(store, { day: '2026-11-19', reason: 'disputed', since: 1_790_000_000_000 });
}
