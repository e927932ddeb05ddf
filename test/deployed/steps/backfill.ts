import { deepEqual, equal, match } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { exitCodes } from '#cli/exit-codes.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import type { StoredDay } from '#core/store/days/day-item.ts';
import { createDocumentTable } from '#core/store/table/document-table.ts';
import { chainStore } from '#core/store/table/table.ts';
import { fileOf } from '#test/support/generators/rows/filled-table.ts';
import { putStoredDay, refreshCoverage } from '#test/support/tables/put-day.ts';
import { eventually } from '../eventually.ts';
import { BACKFILL_DAYS, falseDay, type KnownChain } from '../known-chain.ts';
import { gapOf } from '../options.ts';
import type { Project } from '../project.ts';
import { outputOf, stackOf } from '../stack.ts';
import type { Trial } from './prepare.ts';

/** Time that a backfill of a few days has. */
const DURATION = { limitMs: 600_000, pauseMs: 3_000 };

/** Imports days with the command line. */
export async function importDays({ commands, folder }: Project, days: readonly StoredDay[]): Promise<void> {
  const file = join(folder, 'days.ndjson');
  writeFileSync(file, fileOf(days.map((day) => ({ day }))));
  await commands(['import', file]);
}

/** Runs a backfill that meets one false final day, repairs that day as the runbook says, and completes the backfill. */
export async function tryBackfill(trial: Trial): Promise<void> {
  const { report, target, project, ethereum } = trial;
  const days = ethereum.days.slice(0, BACKFILL_DAYS);
  const [bad = '', wrong = ''] = days.slice(-2);
  // An import would ask the nodes, which contradict it.
  await report.step(`stores a false day, ${wrong}`, () => storeFalseDay(trial, falseDay(ethereum, wrong)));
  const ended = await report.step(`a backfill completes ${days.length - 2} days and fails one`, async () => {
    const { status, done, failed, failures } = await backfill(project, ethereum, days);
    deepEqual({ status, done, failed }, { status: 'FAILED', done: days.length - 2, failed: 1 });
    return failures;
  });
  await report.check(
    `backfill status says why ${bad} failed`,
    async () => {
      deepEqual(
        ended?.map(({ date }) => date),
        [bad],
      );
      match(ended?.[0]?.reason ?? '', /is final, but the hosts report/);
    },
    gapOf(target, 'emulators may leave failures out of the report'),
  );
  await report.check('the conflict stays open, in status', async () => {
    const status = await project.commands(
      ['status', '--chain', ethereum.name, '--json'],
      [exitCodes.checkFailed],
    );
    equal(conflictsSchema.parse(JSON.parse(status))[0]?.conflicts.length, 1);
  });
  await report.step(`restate replaces the false day, ${wrong}`, async () => {
    const day = ['--chain', ethereum.name, '--date', wrong];
    await project.commands(['restate', ...day, '--reason', 'The trial imported a false day', '--yes']);
  });
  await report.check('restating it settles the conflict', async () => {
    // The day that failed is still missing.
    const codes = [exitCodes.done, exitCodes.checkFailed];
    const status = await project.commands(['status', '--chain', ethereum.name, '--json'], codes);
    deepEqual(conflictsSchema.parse(JSON.parse(status)), [{ conflicts: [] }]);
  });
  await report.step('a second backfill completes the failed day', async () => {
    const { status, done } = await backfill(project, ethereum, days);
    deepEqual({ status, done }, { status: 'SUCCEEDED', done: 1 });
  });
}

const conflictsSchema = z.array(z.object({ conflicts: z.array(z.unknown()) }));

/** Writes a day that contradicts the chain straight into the table. */
async function storeFalseDay({ stackName }: Trial, day: StoredDay): Promise<void> {
  const table = createDocumentTable(outputOf(await stackOf(stackName), 'TableName'));
  const store = chainStore(table, day.chain);
  await putStoredDay(table, day, undefined);
  await refreshCoverage(store, (await getCoverage(store))?.from_day ?? day.date);
}

const statusSchema = z.array(
  z.object({
    execution: z.string(),
    status: z.string(),
    done: z.number(),
    failed: z.number(),
    failures: z.array(z.object({ date: z.string(), reason: z.string() })).optional(),
  }),
);

/** Runs a backfill to its end. Returns its status. */
async function backfill({ commands }: Project, { name }: KnownChain, days: readonly string[]) {
  const range = ['--start-date', days[0] ?? '', '--end-date', days.at(-1) ?? ''];
  const started = await commands(['backfill', 'start', '--chain', name, ...range, '--yes', '--json']);
  const { execution } = z.object({ execution: z.string() }).parse(JSON.parse(started));
  return eventually(async () => {
    const codes = [exitCodes.done, exitCodes.checkFailed];
    const statuses = await commands(['backfill', 'status', '--chain', name, '--json'], codes);
    const found = statusSchema.parse(JSON.parse(statuses)).find((one) => one.execution === execution);
    if (found && found.status !== 'RUNNING') return found;
    throw new Error(`The backfill ${execution} runs for too long.`);
  }, DURATION);
}
