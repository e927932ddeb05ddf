import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { chainStore } from '../../lambda/store/chain-store.ts';
import { listFinalDays } from '../../lambda/store/days.ts';
import { requestRestatement } from '../../lambda/store/restatements.ts';
import { harmlessKinds, honestKinds } from '../support/faults.ts';
import { dispatchBy } from '../support/in-process-dispatch.ts';
import { type Container, startContainer } from './container.ts';
import { restatementsOf, ViolationError } from './oracle.ts';
import { createWorld, type Scenario, type World } from './world.ts';

/** The counts of a simulation without a wrong figure. */
export interface Survived {
  readonly days: number;
  /** Days that were final before the faults stopped. */
  readonly daysUnderFaults: number;
  readonly runs: number;
  readonly crashes: number;
  /** Days that were deleted on purpose, and requested restatements. */
  readonly holes: number;
  readonly restatements: number;
  /** Received events, and how many of them came again. */
  readonly events: number;
  readonly repeated: number;
  /** Faults by kind, without harmless differences. */
  readonly faults: Readonly<Record<string, number>>;
}

/** Runs with faults per day, before the faults stop. */
const RUNS_PER_DAY = 60;
/** Runs without faults after which everything must be complete. */
const CALM_RUNS = 12;

/**
 * Runs the ingest on a random chain with faulty nodes and a faulty table, crashes at any call, concurrent runs and jumping
 * clocks. After each write it checks that all visible figures are exact.
 * @throws ViolationError with the command that reproduces it
 */
export async function simulate(scenario: Scenario): Promise<Survived> {
  try {
    return await survive(await createWorld(scenario));
  } catch (error) {
    const { family, seed, days, rate } = scenario;
    const replay = `npm run simulate -- --family ${family} --days ${days} --seed ${seed} --rate ${rate}`;
    throw new ViolationError(
      `${error instanceof Error ? error.message : error}\nsee it again with: ${replay}`,
      { cause: error },
    );
  }
}

/** Starts processes, one for each slot, whose calls reach the nodes of a world. */
function openSlots(world: World) {
  const slots: { name: string; container: Container }[] = [];
  // Calls of a crashed process may end after this simulation, so the dispatcher is never removed.
  dispatchBy((options, handler) => {
    const caller = slots.find((slot) => options.path === `/${world.id}/${slot.name}`);
    return caller?.container.dispatch(options, handler) ?? true;
  });
  const start = (slot: number, name: string) => {
    slots[slot] = { name, container: startContainer(world, name) };
    return slots[slot].container;
  };
  return { slots, start };
}

/**
 * Runs the ingest up to `most` times, a day apart and after all days, without any fault but those that the nodes have by their
 * settings, until everything is complete.
 * @throws ViolationError when a visible figure is not exact
 */
export async function runCalmly(world: World, most: number): Promise<void> {
  world.isRough = false;
  await world.time.sleep(world.days * 24 * 3_600_000);
  const container = openSlots(world).start(0, 'calm');
  for (let runs = 0; runs < most && (await whatIsMissing(world)); runs++) {
    await container.run();
    await check(world);
    await world.time.sleep(24 * 3_600_000);
  }
}

/** Returns the first missing part of the table, or an event that has not come; undefined when everything is complete. */
const whatIsMissing = async ({ oracle, receiver }: World): Promise<string | undefined> =>
  (await oracle.whatIsMissing()) ?? receiver.whatIsMissing();

/** @throws ViolationError when anything visible or received was not exact */
async function check({ oracle, receiver }: World): Promise<void> {
  await oracle.checkCoverage();
  receiver.check();
}

async function survive(world: World): Promise<Survived> {
  const { slots, start: startIn } = openSlots(world);
  const count = { runs: 0, crashes: 0, holes: 0, restatements: 0 };
  const start = (slot: number) => startIn(slot, `${slot}-${count.crashes}`);
  const run = async (slot: number) => {
    count.runs += 1;
    const { container } = slots[slot] ?? { container: start(slot) };
    if ((await container.run()) !== undefined) return;
    count.crashes += 1;
    start(slot);
  };
  const round = async (atOnce: number) => {
    await Promise.all(Array.from({ length: atOnce }, (_, slot) => run(slot)));
    await check(world);
  };

  while (count.runs < world.days * RUNS_PER_DAY && (await whatIsMissing(world))) {
    await round(world.random.chance(0.3) ? 2 + world.random.below(2) : 1);
    await meddle(world, count);
    await world.time.sleep(world.random.pick([60_000, 300_000, 4 * 3_600_000, 24 * 3_600_000]));
  }
  const store = chainStore(world.store.table, world.chain.chain.name);
  const daysUnderFaults = (await listFinalDays(store, '0000-01-01')).length;

  world.isRough = false;
  await world.time.sleep(world.days * 24 * 3_600_000);
  for (let calm = 0; await whatIsMissing(world); calm++) {
    if (calm === CALM_RUNS) {
      throw new ViolationError(`faults are over, but still missing: ${await whatIsMissing(world)}`);
    }
    await round(1);
  }
  for (const day of world.chain.expected.keys()) await restatementsOf(store, day);
  checkBlame(world);
  const { received: events, repeated } = world.receiver.counts;
  return { days: world.days, daysUnderFaults, ...count, events, repeated, faults: faultsOf(world) };
}

/** Deletes a day or requests a restatement, as an operator might. */
async function meddle(world: World, count: { holes: number; restatements: number }): Promise<void> {
  const { random, chain } = world;
  const { table } = world.store;
  const deed = random.below(20);
  if (deed > 1) return;
  const { name, firstDay } = chain.chain;
  const store = chainStore(table, name);
  const final = await listFinalDays(store, firstDay);
  if (final.length === 0) return;
  const day = random.pick(final);
  if (deed === 0) {
    count.holes += 1;
    world.receiver.forget(day);
    // The coverage is deleted too; the next final day would rebuild it anyway.
    for (const date of [day, 'coverage']) {
      await table.documents.send(new DeleteCommand({ TableName: table.name, Key: { chain: name, date } }));
    }
    return;
  }
  count.restatements += 1;
  const restatement = { reason: `doubt about ${day}`, requestedAt: new Date(world.time.now()).toISOString() };
  await requestRestatement(store, day, restatement);
  // An event may be delivered again, long after its restatement is done.
  if (random.chance(0.5)) {
    const again = () => world.time.during(requestRestatement(store, day, restatement));
    void world.time.sleep(3_600_000).then(again);
  }
}

/** Only a node that told an untruth can have a block that is not proven. */
function checkBlame({ nodes, notProven }: World): void {
  for (const { host, exposed } of nodes) {
    const hasLied = [...exposed.keys()].some((kind) => !honestKinds.has(kind));
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
