import { deepEqual } from 'node:assert/strict';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import type { ChainName } from '#core/chains/chains.ts';
import type { UtcDay } from '#core/figures/calendar.ts';
import { getCheckpoint } from '#core/store/days/checkpoints.ts';
import { queryDays } from '#core/store/days/days.ts';
import { createDocumentTable } from '#core/store/table/document-table.ts';
import { chainStore } from '#core/store/table/table.ts';
import type { IngestEvent } from '#lambda/ingest.ts';
import { eventually } from '../eventually.ts';

/** Two intervals of the schedule, and a run of the ingest, in milliseconds. */
const SCHEDULE = { limitMs: 900_000, pauseMs: 5_000 };

const reportSchema = z.object({
  outcome: z.string(),
  days: z.array(z.string()),
  reason: z.string().optional(),
});

/** Runs in which the ingest must complete the days. A run may fail when both nodes do, and the next one continues. */
const MAX_RUNS = 5;

/**
 * Invokes the ingest function with the event of a chain's schedule, until it has completed some days.
 * @param expected the days, and no others
 * @throws Error when a run threw, or AssertionError when the days differ
 */
export async function invokeIngest(
  functionName: string,
  event: IngestEvent,
  expected: readonly UtcDay[],
): Promise<void> {
  const client = new LambdaClient();
  const completed: UtcDay[] = [];
  let last = { outcome: '', reason: '' };
  for (let runs = 0; runs < MAX_RUNS && completed.length < expected.length; runs++) {
    const command = new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(event) });
    const { FunctionError, Payload } = await client.send(command);
    const text = Payload?.transformToString() ?? '';
    if (FunctionError) throw new Error(`The ingest threw: ${text}`);
    const { days, outcome, reason = '' } = reportSchema.parse(JSON.parse(text));
    completed.push(...days);
    last = { outcome, reason };
  }
  deepEqual(completed.toSorted(), expected, `The last run ended with ${last.outcome}. ${last.reason}`);
}

/** Waits until runs of the schedule have completed some days. */
export async function waitForDays(
  tableName: string,
  chain: ChainName,
  days: readonly UtcDay[],
): Promise<void> {
  const store = chainStore(createDocumentTable(tableName), chain);
  await eventually(async () => {
    const final = await queryDays(store, days[0] ?? '', days.at(-1) ?? '');
    deepEqual(
      final.map(({ day }) => day),
      days,
    );
  }, SCHEDULE);
}

/** Waits until a run of the schedule has saved proven blocks of a real chain from public nodes. */
export async function waitForProgress(tableName: string, chain: ChainName, day: UtcDay): Promise<void> {
  const store = chainStore(createDocumentTable(tableName), chain);
  await eventually(async () => {
    const [{ progress }, [final]] = await Promise.all([
      getCheckpoint(store, day),
      queryDays(store, day, day),
    ]);
    const blocks = progress?.totals.blocks ?? final?.totals.blocks ?? 0;
    if (blocks === 0)
      throw new Error(`No run has saved blocks of ${chain} ${day}. See the log of the ingest.`);
  }, SCHEDULE);
}
