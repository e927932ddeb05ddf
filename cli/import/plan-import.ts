import { dayOf } from '../../core/figures/calendar.ts';
import type { ReadRow } from '../day-files/ndjson.ts';
import { CommandError } from '../exit-codes.ts';
import { interrupted } from '../interrupt.ts';
import { commandLine, pluralize } from '../print.ts';
import { startProgressBar } from '../progress.ts';
import type { OperatedService } from '../service.ts';
import { anchorProblem, describeEnd, isIn, unanchoredRanges, type WriteRange } from './anchor-ranges.ts';
import { type ConnectedRow, connectRows } from './connect-rows.ts';
import { type ProbedChain, probeOnce } from './hosts.ts';
import { planWrites, type StoredIndex, type WritePlan } from './plan-writes.ts';
import { type FileDay, validateRows } from './validate-rows.ts';
import { readStored } from './write-days.ts';

/** The days to write, with sentences about what was not checked. */
export interface ImportPlan extends WritePlan {
  readonly notes: readonly string[];
}

interface Options {
  readonly replace: boolean;
  /** Asks no endpoint. */
  readonly dryRun: boolean;
}

type ProbeOf = ReturnType<typeof probeOnce>;

/**
 * Validates every row: on its own, against the other rows, and against the table. Each range of contiguous days must be confirmed:
 * a stored day that continues it by hash, or the votes of the hosts about its last block.
 * @throws CommandError when there is no row
 */
export async function planImport(
  service: OperatedService,
  file: string,
  rows: AsyncIterable<ReadRow>,
  { replace, dryRun }: Options,
): Promise<ImportPlan> {
  const valid = await validateRows(rows, dayOf(Date.now() / 1_000));
  if (valid.days.length + valid.problems.length === 0) {
    throw new CommandError(`${file} has no rows, so nothing was written. Check how it was created.`);
  }
  const stored = await readStored(service.table, valid.days, interrupted);
  const probeOf = dryRun ? undefined : probeOnce(service, interrupted);
  const connected = await connectWithProgress(valid.days, stored, probeOf);
  const plan = planWrites(
    connected.filter(({ problem }) => problem === undefined),
    stored,
    { replace },
  );
  const unanchored = await unanchoredRanges(service, plan.writes, stored);
  const refused = probeOf ? await refusedRanges(unanchored, probeOf) : [];
  const writes = plan.writes.filter((write) => !refused.some(({ range }) => isIn(range, write)));
  const foreign = connected.flatMap(({ line, problem }) =>
    problem === undefined ? [] : [{ line, problem }],
  );
  const loose = refused.map(({ range, problem }) => ({ line: range.last.line, problem }));
  const problems = [...valid.problems, ...foreign, ...plan.problems, ...loose];
  const lines = new Set(writes.map(({ line }) => line));
  const unconnected = connected.filter((row) => lines.has(row.line) && row.unconnected !== undefined);
  return {
    ...plan,
    writes,
    problems: problems.toSorted((a, b) => a.line - b.line),
    notes: dryRun ? uncheckedNotes(unconnected, unanchored) : unconnectedNotes(service, unconnected),
  };
}

async function connectWithProgress(
  days: readonly FileDay[],
  stored: StoredIndex,
  probeOf: ProbeOf | undefined,
): Promise<readonly ConnectedRow[]> {
  const progress = startProgressBar('days connected');
  const onRow = (done: number) => progress.update(done / days.length, done);
  return connectRows(days, stored, probeOf, onRow).finally(progress.end);
}

async function refusedRanges(ranges: readonly WriteRange[], probeOf: ProbeOf) {
  const refused: { readonly range: WriteRange; readonly problem: string }[] = [];
  for (const range of ranges) {
    const probe: ProbedChain = await probeOf(range.chain);
    const problem = await anchorProblem(range, probe);
    if (problem !== undefined) refused.push({ range, problem });
  }
  return refused;
}

const uncheckedNotes = (rows: readonly ConnectedRow[], ranges: readonly WriteRange[]): string[] => [
  ...(rows.length > 0
    ? [`Not checked: the parents of ${pluralize(rows.length, 'day')} without a parent hash.`]
    : []),
  ...ranges.map((range) => `Not checked: whether hosts confirm ${describeEnd(range)}.`),
];

const unconnectedNotes = ({ flags }: OperatedService, rows: readonly ConnectedRow[]): string[] =>
  [...Map.groupBy(rows, ({ unconnected = '' }) => unconnected.trim().replace(/\.$/, ''))].map(
    ([reason, own]) =>
      `${pluralize(own.length, 'day')} without a parent hash: ${reason}. To connect them later:\n  ${commandLine(flags, 'connect')}`,
  );
