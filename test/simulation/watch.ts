import { addDays, startOfDay, type UtcDay } from '#core/figures/calendar.ts';
import { listFinalDays } from '#core/store/days/days.ts';
import { chainStore } from '#core/store/table/table.ts';
import { castOf } from './cast/hosts.ts';
import { timestampOf } from './cast/stories.ts';
import { canStop, checkEnd } from './check-end.ts';
import { ViolationError } from './oracle.ts';
import { openSlots } from './processes.ts';
import { replayable } from './simulate.ts';
import { createWorld, type Scenario, type World } from './world.ts';

/** A chain that grew while the ingest ran every five minutes beside a liar. */
export interface Watched {
  readonly days: number;
  readonly runs: number;
  /** Days that are final. */
  readonly final: number;
  /** Longest time until a day was final, in minutes from when it could be without the liar. */
  readonly minutes: number;
}

const EVERY_MS = 5 * 60_000;
/** Runs after a block became final, until a day is missing no more. */
const MAX_RUNS = 80;
/** No liar beside two honest endpoints may delay a day longer. A single honest one may have to wait for the liar's timeouts. */
const HOUR_MS = 3_600_000;
function maxDelayMs(world: World): number {
  if (canStop(world)) return Number.POSITIVE_INFINITY;
  return world.cast.company === 'beside one honest' ? 6 * HOUR_MS : HOUR_MS;
}

/**
 * Runs the ingest while a chain grows, whenever a block becomes final and then every five minutes until each complete day is final.
 * Nothing fails; there is only the liar.
 * @throws ViolationError when a figure is not exact or a day too late
 */
export const watch = (scenario: Scenario, cast = castOf(scenario.family, scenario.seed)): Promise<Watched> =>
  replayable(scenario, async () => {
    const world = await createWorld(scenario, () => cast);
    world.isRough = false;
    // Some days may be missing at first.
    await world.time.sleep(world.random.below(scenario.days) * 24 * 3_600_000);
    return watchWorld(world);
  });

export async function watchWorld(world: World): Promise<Watched> {
  const { time, chain, days } = world;
  const slots = openSlots(world);
  const store = chainStore(world.store, chain.chain);
  const start = time.now();
  const finalAt = new Map<UtcDay, number>();
  const due = dueTimes(world, start);
  const run = async () => {
    await slots.run();
    for (const day of await listFinalDays(store, '0000-01-01')) {
      if (!finalAt.has(day)) finalAt.set(day, time.now());
    }
  };
  for (const news of newsTimes(world)) {
    await time.sleep(news - time.now());
    for (let runs = 0; runs < MAX_RUNS; runs++) {
      await run();
      const isMissing = [...due].some(([day, at]) => at <= time.now() && !finalAt.has(day));
      // A run that its time ended may be on the way.
      const isStopped = canStop(world) && slots.lastReport()?.outcome !== 'out of time';
      if (!isMissing || (isStopped && runs > 0)) break;
      await time.sleep(EVERY_MS);
    }
    checkDelays(world, due, finalAt);
  }
  await checkEnd(world, slots.lastReport());
  const delays = [...finalAt].map(([day, at]) => at - (due.get(day) ?? at));
  const minutes = Math.round(Math.max(0, ...delays) / 60_000);
  return { days, runs: slots.counts.runs, final: finalAt.size, minutes };
}

const finalityMs = ({ nodes }: World) => Math.max(...nodes.map((node) => node.finalityMs));

/** Returns the time now, and when later blocks become final to all nodes, in milliseconds since 1970. */
const newsTimes = (world: World): readonly number[] => {
  const now = world.time.now();
  const times = world.chain.blocks.map((block) => timestampOf(block) * 1_000 + finalityMs(world));
  return [...new Set([now, ...times])].filter((at) => at >= now);
};

/** Returns when each day may become final: when a later block is final to all nodes, but not before the first run. */
function dueTimes(world: World, start: number): ReadonlyMap<UtcDay, number> {
  const { expected, blocks } = world.chain;
  return new Map(
    [...expected.keys()].map((day) => {
      const end = startOfDay(addDays(day, 1));
      const next = blocks.find((block) => timestampOf(block) >= end);
      const at = next ? timestampOf(next) * 1_000 + finalityMs(world) : Number.POSITIVE_INFINITY;
      return [day, Math.max(start, at)];
    }),
  );
}

/** @throws ViolationError when a day was final too late, or should be by now */
function checkDelays(
  world: World,
  due: ReadonlyMap<UtcDay, number>,
  finalAt: ReadonlyMap<UtcDay, number>,
): void {
  for (const [day, at] of due) {
    const delay = (finalAt.get(day) ?? world.time.now()) - at;
    if (delay < maxDelayMs(world)) continue;
    throw new ViolationError(
      `${day} is ${finalAt.has(day) ? 'final' : 'not final'} ${delay / 60_000} minutes late`,
    );
  }
}
