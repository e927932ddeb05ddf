import type { IngestReport } from '#core/ingest/report.ts';
import { listSuspects } from '#core/store/chain/suspects.ts';
import { chainStore } from '#core/store/table/table.ts';
import { dispatchBy } from '#test/support/servers/in-process-dispatch.ts';
import { type Container, startContainer } from './container.ts';
import { ViolationError } from './oracle.ts';
import type { World } from './world.ts';

/** Processes that run the ingest of a world, one for each slot. */
export interface Slots {
  /** Runs the ingest in one or several processes at once. After a crash, a new process takes the slot. */
  readonly run: (atOnce?: number) => Promise<void>;
  readonly counts: { runs: number; crashes: number };
  /** The report of the last run that ended. */
  readonly lastReport: () => IngestReport | undefined;
}

/** @throws ViolationError when anything visible or received was not exact, or an honest node is suspected */
async function check({ oracle, receiver, chain, store, nodes }: World): Promise<void> {
  await oracle.checkCoverage();
  receiver.check();
  for (const { host, process } of await listSuspects(chainStore(store, chain.chain))) {
    const isHonest = nodes.some((node) => node.isHonest && node.host === host);
    if (isHonest && process === 'not canonical') throw new ViolationError(`the honest ${host} is suspected`);
  }
}

export function openSlots(world: World): Slots {
  const slots: { name: string; container: Container }[] = [];
  const counts = { runs: 0, crashes: 0 };
  let last: IngestReport | undefined;
  // Calls of a crashed process may end after this simulation, so the dispatcher is never removed.
  dispatchBy((options, handler) => {
    // A light-client server has longer paths.
    const [path] = options.path.split('/eth/');
    const caller = slots.find((slot) => path === `/${world.id}/${slot.name}`);
    return caller?.container.dispatch(options, handler) ?? true;
  });
  const start = (slot: number) => {
    const name = `${slot}-${counts.crashes}`;
    const started = { name, container: startContainer(world, name) };
    slots[slot] = started;
    return started;
  };
  const run = async (slot: number) => {
    counts.runs += 1;
    const report = await (slots[slot] ?? start(slot)).container.run();
    if (report) {
      last = report;
      return;
    }
    counts.crashes += 1;
    start(slot);
  };
  return {
    run: async (atOnce = 1) => {
      await Promise.all(Array.from({ length: atOnce }, (_, slot) => run(slot)));
      await check(world);
    },
    counts,
    lastReport: () => last,
  };
}
