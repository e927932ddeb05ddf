import type { Finality } from '../figures/block.ts';
import {
  type DayFigures,
  DEFINITION_VERSION,
  type Provenance,
  type Restatement,
} from '../figures/day-figures.ts';
import type { DayProgress } from '../figures/progress.ts';
import { SOFTWARE_VERSION } from '../software-version.ts';
import type { ChainStore } from '../store/table/table.ts';
import type { Conflict } from '../transitions/conflict.ts';
import type { DayContent } from '../transitions/content.ts';
import { publish } from '../transitions/publish.ts';
import { restate } from '../transitions/restate.ts';
import type { DayRun, RunOutcome } from './day-run.ts';
import { evidenceOf } from './evidence.ts';
import { markVoidFiles } from './prove-archived.ts';
import { checkStart } from './undo.ts';

/** A day of which every block is counted and canonical. */
export interface CompleteDay {
  readonly progress: DayProgress;
  /** The reason why the block after it is final, or the day that continues it. */
  readonly finality: Finality;
  /** True when no hash fixes the time of the block before the day. */
  readonly isStartChecked?: boolean;
}

/**
 * Publishes a complete day, or restates it.
 * @param restatement absent at the first publication
 * @returns why the day is not published, or what its publication showed; undefined if all is well
 */
export async function publishDay(
  run: DayRun,
  day: CompleteDay,
  restatement?: Restatement,
): Promise<RunOutcome | undefined> {
  const { store, network, stats } = run;
  // 1. The day must begin with its first block.
  const start = await checkStart(run, day.progress, restatement !== undefined);
  if (start.kind !== 'start') return start;
  const now = network.context.clock.now();
  const content = contentOf(store, { ...day, isStartChecked: !start.isProven }, now);
  // 2. One commit changes the day and all that belongs to it.
  const problem = restatement
    ? await restateDay(run, content, restatement)
    : await publishContent(store, content);
  // 3. Events follow from the commit, so that a later run sends those of a run that ends here.
  if (!problem && !restatement) {
    stats.days.push(day.progress.day);
    run.onDay?.(day.progress.day);
  }
  await run.sendEvents();
  return problem;
}

/** Publishes a day. @returns what it contradicts, if anything */
export async function publishContent(store: ChainStore, content: DayContent): Promise<Conflict | undefined> {
  const published = await publish(store, content);
  if (published.kind === 'published') return undefined;
  if (published.kind === 'conflict') return published;
  await markVoidFiles(store);
  return published.conflict;
}

async function restateDay(
  { store, stats }: DayRun,
  content: DayContent,
  restatement: Restatement,
): Promise<RunOutcome | undefined> {
  const restated = await restate(store, content, restatement);
  if (restated.kind === 'void') return { kind: 'overtaken' };
  if (restated.kind === 'restated') stats.restated.push(content.figures.day);
  return restated.gap;
}

export function contentOf(
  { chain }: ChainStore,
  { progress, finality, isStartChecked }: CompleteDay,
  now: number,
): DayContent {
  const { day, totals, hours, feeCounts, dollars, provenBlocks, parentHash, first, last, hosts } = progress;
  if (!last) throw new Error(`${chain} has no block at or before ${day}, so that day has no figures`);
  const figures: DayFigures = {
    day,
    totals,
    parentHash,
    first,
    last: { number: last.number, hash: last.hash },
    definitionVersion: DEFINITION_VERSION,
  };
  const provenance: Provenance = {
    softwareVersion: SOFTWARE_VERSION,
    ingestedAt: new Date(now),
    hosts,
    evidence: evidenceOf(progress, !isStartChecked),
    provenBlocks,
    finality,
  };
  return { figures, provenance, details: { hours, feeCounts, dollars } };
}
