import { requestRestatement } from '#core/store/days/checkpoints.ts';
import { listFinalDays } from '#core/store/days/days.ts';
import { chainStore } from '#core/store/table/table.ts';
import type { World } from './world.ts';

/** Changes that were made to the table. */
export interface Deeds {
  /** Deleted days. */
  holes: number;
  restatements: number;
}

/** Deletes a day or requests a restatement, as an operator might. */
export async function meddle(world: World, deeds: Deeds): Promise<void> {
  const { random, chain, receiver } = world;
  const table = world.store;
  const deed = random.below(15);
  if (deed > 1) return;
  const { name, firstDay } = chain.chain;
  const store = chainStore(table, chain.chain);
  const final = await listFinalDays(store, firstDay);
  if (final.length === 0) return;
  const day = random.pick(final);
  const drop = (date: string) => table.deleteItem({ chain: name, date });
  if (deed === 0) {
    deeds.holes += 1;
    receiver.forget(day);
    // The coverage is deleted too; the next final day would rebuild it anyway.
    await drop(day);
    await drop('coverage');
  } else {
    deeds.restatements += 1;
    const requestedAt = new Date(world.time.now()).toISOString();
    const restatement = { reason: `doubt about ${day}`, requestedAt };
    await requestRestatement(store, day, restatement);
    // An event may be delivered again, long after its restatement is done.
    if (random.chance(0.5)) {
      const again = () => world.time.during(requestRestatement(store, day, restatement));
      void world.time.sleep(3_600_000).then(again);
    }
  }
}
