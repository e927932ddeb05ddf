import { listFinalDays } from '#core/store/days/days.ts';
import { chainStore } from '#core/store/table/table.ts';
import { harmlessKinds, honestKinds } from '#test/support/nodes/faults.ts';
import { castOf } from './cast/hosts.ts';
import { type Deeds, meddle } from './change-table.ts';
import { canStop, checkEnd, whatIsMissing } from './check-end.ts';
import { restatementsOf, ViolationError } from './oracle.ts';
import { openSlots } from './processes.ts';
import { createWorld, type Scenario, type World } from './world.ts';

/** The counts of a simulation without a wrong figure. */
export interface Survived extends Readonly<Deeds> {
  readonly days: number;
  /** Days that were final before the faults stopped. */
  readonly daysUnderFaults: number;
  readonly runs: number;
  readonly crashes: number;
  /** Received events, and how many of them came again. */
  readonly events: number;
  readonly repeated: number;
  /** Commits that were decided again after another one, and those that were sent again. */
  readonly overtakenCommits: number;
  readonly repeatedCommits: number;
  /** Faults by kind, without harmless differences. */
  readonly faults: Readonly<Record<string, number>>;
}

/** Runs with faults per day, before the faults stop. */
const RUNS_PER_DAY = 10;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const PAUSES_MS = [MINUTE_MS, 5 * MINUTE_MS, 4 * HOUR_MS, DAY_MS];
/** Without faults, everything must be complete within an hour of runs. */
const CALM_RUNS = 12;
const MAX_CALM_RUNS = 40;

/**
 * Runs the ingest on a random chain with faulty and lying nodes and a faulty table, crashes at any call, concurrent runs and jumping
 * clocks. After each write it checks that all visible figures are exact.
 * @throws ViolationError with the command that reproduces it
 */
export const simulate = (
  scenario: Scenario,
  cast = castOf(scenario.family, scenario.seed),
): Promise<Survived> => replayable(scenario, async () => survive(await createWorld(scenario, () => cast)));

/** Adds the command that reproduces it to an error. */
export async function replayable<T>(
  { family, seed, days, rate }: Scenario,
  simulation: () => Promise<T>,
): Promise<T> {
  try {
    return await simulation();
  } catch (error) {
    const replay = `npm run simulate -- --family ${family} --days ${days} --seed ${seed} --rate ${rate}`;
    const problem = error instanceof Error ? error.message : error;
    throw new ViolationError(`${problem}\nsee it again with: ${replay}`, { cause: error });
  }
}

async function survive(world: World): Promise<Survived> {
  const { random, days } = world;
  const slots = openSlots(world);
  const deeds = { holes: 0, restatements: 0 };
  while (slots.counts.runs < days * RUNS_PER_DAY && (await whatIsMissing(world))) {
    await slots.run(random.chance(0.3) ? 2 + random.below(2) : 1);
    await meddle(world, deeds);
    await world.time.sleep(random.pick(PAUSES_MS));
  }
  const store = chainStore(world.store, world.chain.chain);
  const daysUnderFaults = (await listFinalDays(store, '0000-01-01')).length;

  world.isRough = false;
  await world.time.sleep(days * DAY_MS);
  // A liar that can stop the chain may stop most of the runs, and let the last one begin to read.
  const isUnderWay = () => {
    const { outcome, disputed } = slots.lastReport() ?? {};
    return canStop(world) && outcome !== 'up to date' && !disputed;
  };
  for (let calm = 0; await whatIsMissing(world); calm++) {
    if (calm >= (isUnderWay() ? MAX_CALM_RUNS : CALM_RUNS)) break;
    await slots.run();
    await world.time.sleep(5 * MINUTE_MS);
  }
  await checkEnd(world, slots.lastReport());
  for (const day of await listFinalDays(store, '0000-01-01')) await restatementsOf(store, day);
  checkBlame(world);
  const { received: events, repeated } = world.receiver.counts;
  const { overtaken: overtakenCommits, repeated: repeatedCommits } = world.commits;
  const commits = { overtakenCommits, repeatedCommits };
  return {
    days,
    daysUnderFaults,
    ...slots.counts,
    ...deeds,
    events,
    repeated,
    ...commits,
    faults: faultsOf(world),
  };
}

/** Only a node that told an untruth can have a block that is not proven. */
function checkBlame({ nodes, notProven }: World): void {
  for (const { host, isLiar, exposed } of nodes) {
    const hasLied = isLiar || [...exposed.keys()].some((kind) => !honestKinds.has(kind));
    if (!hasLied && (notProven.get(host) ?? 0) > 0) throw new ViolationError(`${host} is blamed for nothing`);
  }
}

function faultsOf({ nodes }: World): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const { exposed } of nodes) {
    for (const [kind, times] of exposed) {
      if (!harmlessKinds.has(kind)) sum[kind] = (sum[kind] ?? 0) + times;
    }
  }
  return sum;
}
