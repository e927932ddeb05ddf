import { addDays, type UtcDay } from '../chains/utc-day.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { listFinalDays } from '../store/days.ts';
import { type EraSums, listEraSums } from '../store/era-sums.ts';
import { completeDaysOf, type TiedRun, tieFiles } from './join.ts';
import { type Published, publishDays } from './publish.ts';
import { isSummed } from './sum-file.ts';

/** Days that files cut, and that are not final, with the reason. */
export interface MissingDays {
  readonly first: UtcDay;
  readonly last: UtcDay;
  readonly reason: string;
}

/** The result of joining files. */
export interface Joined extends Published {
  readonly files: number;
  readonly missing: readonly MissingDays[];
}

/**
 * Joins the stored sums of all files by number and hash, ties them to hashes that endpoints confirm, and publishes the days that
 * become complete. Idempotent.
 * @param firstDay first day of the chain
 * @param from first day of its schedule
 * @param now milliseconds since 1970
 */
export async function joinEraFiles(
  store: ChainStore,
  { firstDay, from, now }: { readonly firstDay: UtcDay; readonly from: UtcDay; readonly now: number },
): Promise<Joined> {
  const files = await listEraSums(store);
  const runs = tieFiles(files);
  const complete = runs.flatMap((run) => completeDaysOf(run, firstDay));
  const published = await publishDays(store, from, complete, now);
  const gaps = gapsBetween(runs, files);
  const final = new Set(gaps.length > 0 ? await listFinalDays(store, firstDay) : []);
  const missing = gaps.flatMap((gap) => {
    const first = firstMissing(gap.first < firstDay ? firstDay : gap.first, gap.last, final);
    return first === undefined ? [] : [{ ...gap, first }];
  });
  return { ...published, files: files.length, missing };
}

function firstMissing(first: UtcDay, last: UtcDay, final: ReadonlySet<UtcDay>): UtcDay | undefined {
  for (let day = first; day <= last; day = addDays(day, 1)) if (!final.has(day)) return day;
  return undefined;
}

/** Lists the days before, between and after runs of files: they lack blocks that no file gives. */
function gapsBetween(runs: readonly TiedRun[], files: readonly EraSums[]): readonly MissingDays[] {
  return Array.from({ length: runs.length + 1 }, (_, index) => gapBefore(runs, index, files)).filter(
    (gap) => gap !== undefined,
  );
}

/** Returns the gap before a run, or after the last one. */
function gapBefore(
  runs: readonly TiedRun[],
  index: number,
  files: readonly EraSums[],
): MissingDays | undefined {
  const [before, after] = [runs[index - 1], runs[index]];
  const [end, start] = [before?.days.at(-1), after?.days[0]];
  const isGenesis = !end && start?.first?.number === 0;
  const edge = end ?? start;
  if (!edge || isGenesis) return undefined;
  const first = end?.day ?? edge.day;
  const last = start?.day ?? edge.day;
  const [from, to] = [(end?.last?.number ?? -1) + 1, (start?.first?.number ?? Number.NaN) - 1];
  const blocks = Number.isNaN(to) ? `from ${from} on` : `${from} to ${to}`;
  const between = files.filter(
    ({ name }) =>
      (!before || name > (before.files.at(-1) ?? '')) && (!after || name < (after.files[0] ?? '')),
  );
  const reasons = between.map((file) => `${file.name}: ${whyUnused(file)}`);
  return { first, last, reason: [`no proven file has the blocks ${blocks}`, ...reasons].join('. ') };
}

function whyUnused(file: EraSums): string {
  if (file.problem !== undefined) return file.problem;
  if (!isSummed(file)) return 'it is not read to its end';
  return 'no endpoint confirms its last hash, and no proven file follows it';
}
