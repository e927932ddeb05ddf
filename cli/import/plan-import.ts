import { dayOf } from '../../core/figures/calendar.ts';
import type { ReadRow } from '../day-files/ndjson.ts';
import { CommandError } from '../exit-codes.ts';
import { interrupted } from '../interrupt.ts';
import type { OperatedService } from '../service.ts';
import { anchorProblem, describeEnd, isIn, unanchoredRanges, type WriteRange } from './anchor-ranges.ts';
import { type ProbedChain, probeOnce } from './hosts.ts';
import { planWrites, type WritePlan } from './plan-writes.ts';
import { validateRows } from './validate-rows.ts';
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
  const plan = planWrites(valid.days, stored, { replace });
  const unanchored = await unanchoredRanges(service, plan.writes, stored);
  const refused = dryRun ? [] : await refusedRanges(unanchored, probeOnce(service, interrupted));
  const writes = plan.writes.filter((write) => !refused.some(({ range }) => isIn(range, write)));
  const loose = refused.map(({ range, problem }) => ({ line: range.last.line, problem }));
  const problems = [...valid.problems, ...plan.problems, ...loose];
  return {
    ...plan,
    writes,
    problems: problems.toSorted((a, b) => a.line - b.line),
    notes: (dryRun ? unanchored : []).map(
      (range) => `Not checked: whether hosts confirm ${describeEnd(range)}.`,
    ),
  };
}

async function refusedRanges(ranges: readonly WriteRange[], probeOf: ReturnType<typeof probeOnce>) {
  const refused: { readonly range: WriteRange; readonly problem: string }[] = [];
  for (const range of ranges) {
    const probe: ProbedChain = await probeOf(range.chain);
    const problem = await anchorProblem(range, probe);
    if (problem !== undefined) refused.push({ range, problem });
  }
  return refused;
}
