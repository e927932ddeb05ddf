import pMap from 'p-map';
import { addDays, startOfDay, type UtcDay } from '../../lambda/chains/utc-day.ts';
import type { Source } from '../../lambda/ingest/endpoint-probe.ts';
import { findFirstBlock } from '../../lambda/ingest/first-block.ts';
import { readBlock, readHeader } from '../../lambda/ingest/read-block.ts';
import type { DayFigures } from '../../lambda/store/days.ts';

/** What nodes say of days that nobody has read yet. */
export interface Survey {
  /** Exactly, by the numbers of the blocks at their ends. */
  readonly blocks: number;
  /** Some of them were read as the ingest reads them, to see how fast that goes. */
  readonly sample: { readonly blocks: number; readonly seconds: number };
}

/** As many as a node is asked for at once by a run that goes well. */
const AT_ONCE = 32;
const SAMPLE = 96;

/**
 * @param missing days that are finalized and not in the table, ascending, one at least
 * @param final those between them that are
 * @throws NoEndpointError when nodes do not have the blocks, which the ingest would need as well
 */
export async function survey(
  source: Source,
  missing: readonly UtcDay[],
  final: readonly DayFigures[],
  onBlock: (done: number, all: number) => void,
): Promise<Survey> {
  const [firstDay = '', lastDay = firstDay] = [missing[0], missing.at(-1)];
  const first = await firstBlockOf(source, firstDay);
  const next = await firstBlockOf(source, addDays(lastDay, 1));
  const known = final
    .filter(({ day }) => day > firstDay && day < lastDay)
    .reduce((sum, { totals }) => sum + totals.blocks, 0);
  const numbers = spread(first, next - 1, SAMPLE);
  return { blocks: next - first - known, sample: await readSample(source, numbers, onBlock) };
}

async function firstBlockOf(source: Source, day: UtcDay): Promise<number> {
  const { chain, head } = source;
  const { first } = await findFirstBlock(chain.name, startOfDay(day), head, (number, check) =>
    readHeader(source, number, { check }),
  );
  return first.number;
}

async function readSample(
  source: Source,
  numbers: readonly number[],
  onBlock: (done: number, all: number) => void,
): Promise<Survey['sample']> {
  const startedAt = performance.now();
  let done = 0;
  await pMap(
    numbers,
    async (number) => {
      await readBlock(source, number);
      onBlock(++done, numbers.length);
    },
    { concurrency: AT_ONCE },
  );
  return { blocks: numbers.length, seconds: (performance.now() - startedAt) / 1_000 };
}

/** So many numbers from `first` to `last`, at even distances; fewer where there are not so many. */
export function spread(first: number, last: number, count: number): number[] {
  const length = Math.max(0, last - first + 1);
  if (length <= count) return Array.from({ length }, (_, index) => first + index);
  return Array.from({ length: count }, (_, index) =>
    Math.round(first + (index * (last - first)) / (count - 1)),
  );
}
