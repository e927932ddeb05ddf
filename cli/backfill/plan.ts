import { addDays, dayOf, earlier, later, startOfDay, type UtcDay } from '../../lambda/chains/utc-day.ts';
import type { Source } from '../../lambda/ingest/endpoint-probe.ts';
import { type DayFigures, queryDays } from '../../lambda/store/days.ts';
import { missingDays } from '../day-ranges.ts';
import { probeChain, requestContext, upstreamsOf } from '../endpoints.ts';
import { interrupted } from '../interrupt.ts';
import { pluralize, printNote } from '../print.ts';
import { type Progress, startProgress } from '../progress.ts';
import type { ServedChain } from '../service.ts';
import { type Estimate, estimateBetween } from './estimate.ts';
import { type Survey, survey } from './survey.ts';

/** What is to be read, and what that takes. */
export interface Plan extends Survey {
  readonly chain: string;
  /** Days that are finalized and not in the table, ascending. */
  readonly dates: readonly UtcDay[];
  readonly days_at_once: number;
  readonly estimate: { readonly best: Estimate; readonly worst: Estimate };
}

export interface Wish {
  readonly startDate: UtcDay;
  /** Yesterday by default. */
  readonly endDate?: UtcDay | undefined;
  readonly daysAtOnce: number;
}

/**
 * @returns undefined when nothing is left to be read
 * @throws NoEndpointError when no node can say
 */
export async function planBackfill(
  served: ServedChain,
  { startDate, endDate, daysAtOnce }: Wish,
): Promise<Plan | undefined> {
  const { name, chain, store } = served;
  const yesterday = addDays(dayOf(Date.now() / 1_000), -1);
  const first = later(startDate, chain.firstDay);
  const last = earlier(endDate ?? yesterday, yesterday);
  const final = await queryDays(store, first, last);
  const known = final.map(({ day }) => day);
  const missing = missingDays(first, last, known);
  if (missing.length === 0) return undefined;
  printNote(
    `RequestContext the nodes of ${name} how many blocks ${pluralize(missing.length, 'day')} have, and how fast they answer.`,
  );
  // Nodes that are slow to answer the roll call are not waited for at the end.
  const over = new AbortController();
  try {
    const context = requestContext(AbortSignal.any([interrupted, over.signal]));
    const source = await probeChain(served, await upstreamsOf(served, undefined), context);
    const dates = missing.filter((day) => startOfDay(addDays(day, 1)) <= source.head.timestamp);
    if (dates.length === 0) return undefined;
    const found = await watchedSurvey(source, dates, final);
    const speed = found.sample.blocks / found.sample.seconds;
    const estimate = estimateBetween({ days: dates.length, blocks: found.blocks, daysAtOnce, speed });
    return { chain: name, dates, days_at_once: daysAtOnce, ...found, estimate };
  } finally {
    over.abort();
  }
}

/** Looking for the first and the last block has no end that is known; reading some of them has. */
async function watchedSurvey(source: Source, dates: readonly UtcDay[], final: readonly DayFigures[]) {
  let progress: Progress | undefined;
  try {
    return await survey(source, dates, final, (done, all) => {
      progress ??= startProgress('blocks');
      progress.update(done / all, done);
    });
  } finally {
    progress?.end();
  }
}
