import { isDeepStrictEqual } from 'node:util';
import type { BlockRef } from '../../lambda/chains/block.ts';
import type { ChainName } from '../../lambda/chains/chains.ts';
import { addDays, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { isContiguous } from '../../lambda/ingest/publish.ts';
import type { DayFigures } from '../../lambda/store/days.ts';
import { changesOf } from './changes.ts';
import type { Problem } from './problems.ts';

/* What the days of a file say of each other and of those in the table: pure rules. */

/** A day, as far as it must be known to judge those around it. */
export interface KnownDay {
  readonly chain: ChainName;
  readonly figures: DayFigures;
  readonly revision: number;
  /** The same for two items that are the same in all. */
  readonly fingerprint: string;
}

export interface FileDay extends KnownDay {
  /** Where its row begins. */
  readonly line: number;
}

/** A day that is to be written, over the one that is stored now, if there is one. */
export interface Write extends FileDay {
  readonly stored?: KnownDay | undefined;
}

export interface Judgement {
  readonly writes: readonly Write[];
  /** Days that say what the table says already. */
  readonly alreadyFinal: readonly FileDay[];
  readonly problems: readonly Problem[];
}

export type DayIndex = ReadonlyMap<string, KnownDay>;

export const keyOf = (chain: ChainName, day: UtcDay): string => `${chain} ${day}`;

export const indexOf = <Day extends KnownDay>(days: readonly Day[]): ReadonlyMap<string, Day> =>
  new Map(days.map((day) => [keyOf(day.chain, day.figures.day), day]));

/**
 * @param days whose rows are well, each by itself, and which are there once
 * @param table what is stored of these days and of those next to them
 * @param replace whether a day may take the place of one with other figures
 */
export function judge(
  days: readonly FileDay[],
  table: DayIndex,
  { replace }: { readonly replace: boolean },
): Judgement {
  const conflicts = replace ? [] : conflictsIn(days, table);
  const { good, gaps } = joined(without(days, conflicts), table);
  const writes = good.map((day) => ({ ...day, stored: table.get(keyOf(day.chain, day.figures.day)) }));
  const isThere = ({ stored, figures, fingerprint }: Write) =>
    stored && (replace ? stored.fingerprint === fingerprint : isDeepStrictEqual(stored.figures, figures));
  return {
    writes: writes.filter((day) => !isThere(day)),
    alreadyFinal: writes.filter(isThere),
    problems: [...conflicts, ...gaps].toSorted((a, b) => a.line - b.line),
  };
}

function without(days: readonly FileDay[], problems: readonly Problem[]): readonly FileDay[] {
  const bad = new Set(problems.map(({ line }) => line));
  return days.filter(({ line }) => !bad.has(line));
}

/** The days that join those around them. */
function joined(days: readonly FileDay[], table: DayIndex) {
  const good = new Map(indexOf(days));
  const gaps: Problem[] = [];
  // A bad day leaves its place to the one in the table, which those next to it may not fit.
  for (let doubtful = days; doubtful.length > 0; ) {
    const found = doubtful.flatMap((day) =>
      gapsAround(day, good, table).map((problem) => ({ day, problem })),
    );
    gaps.push(...found.map(({ day: { line }, problem }) => ({ line, problem })));
    const bad = new Set(found.map(({ day }) => day));
    for (const { chain, figures } of bad) good.delete(keyOf(chain, figures.day));
    const next = [...bad].flatMap(({ chain, figures: { day } }) =>
      [-1, 1].map((distance) => good.get(keyOf(chain, addDays(day, distance)))),
    );
    doubtful = [...new Set(next)].filter((day) => day !== undefined);
  }
  return { good: [...good.values()], gaps };
}

const conflictsIn = (days: readonly FileDay[], table: DayIndex): Problem[] =>
  days.flatMap(({ line, chain, figures }) => {
    const key = keyOf(chain, figures.day);
    const stored = table.get(key)?.figures;
    return !stored || isDeepStrictEqual(stored, figures)
      ? []
      : [
          {
            line,
            problem: `${key} is final with other figures here (${changesOf(stored, figures)}): --replace puts these in their place`,
          },
        ];
  });

/** Where a day does not begin where the day before ends, or the day after does not begin where it ends. */
function gapsAround(
  { chain, figures }: FileDay,
  inFile: ReadonlyMap<string, FileDay>,
  table: DayIndex,
): string[] {
  const neighbour = (distance: number) => {
    const key = keyOf(chain, addDays(figures.day, distance));
    const found = inFile.get(key);
    return { figures: (found ?? table.get(key))?.figures, where: found ? `line ${found.line}` : 'the table' };
  };
  const [before, after] = [neighbour(-1), neighbour(1)];
  const problems = [
    before.figures &&
      !isContiguous(before.figures, figures) &&
      `${chain} ${figures.day} has ${shown(figures)}, but the day before, in ${before.where}, has ${shown(before.figures)}`,
    after.figures &&
      !isContiguous(figures, after.figures) &&
      `${chain} ${figures.day} has ${shown(figures)}, but the day after, in ${after.where}, has ${shown(after.figures)}`,
  ];
  return problems.filter((problem) => typeof problem === 'string');
}

const shown = ({ first, last }: DayFigures) =>
  first ? `blocks ${first.number} to ${last.number}` : `none after ${shownBlock(last)}`;

const shownBlock = ({ number, hash }: BlockRef) => `block ${number} (${hash.slice(0, 10)}…)`;
