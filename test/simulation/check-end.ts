import type { IngestReport } from '#core/ingest/report.ts';
import { LATE_MS } from './cast/hosts.ts';
import { stoppingKinds } from './cast/liars.ts';
import { ViolationError } from './oracle.ts';
import type { World } from './world.ts';

/** Returns the first missing part of the table, or an event that has not come; undefined when everything is complete. */
export const whatIsMissing = async ({ oracle, receiver }: World): Promise<string | undefined> =>
  (await oracle.whatIsMissing()) ?? receiver.whatIsMissing();

/**
 * Returns whether the liar of a world can prevent that a day becomes final: alone; or beside one honest node, about what no hash decides.
 * Arbitrum's blocks before Nitro do not hash to their hash.
 */
export function canStop({ family, cast: { company, liar } }: World): boolean {
  if (company === 'alone') return true;
  if (company !== 'beside one honest' || liar === undefined) return false;
  return family === 'arbitrum' || stoppingKinds.has(liar);
}

/**
 * Checks that a calm world is complete, or stopped in a way that its liar can cause, and says so.
 * @throws ViolationError
 */
export async function checkEnd(world: World, last: IngestReport | undefined): Promise<void> {
  const missing = await whatIsMissing(world);
  if (missing === undefined) return;
  const problem = `no fault is left, but this is missing: ${missing}; the last run: ${last?.outcome}, ${last?.reason}`;
  if (!canStop(world)) throw new ViolationError(problem);
  if (world.cast.company === 'alone' || isExplained(world, last)) return;
  throw new ViolationError(`not explained: ${problem}`);
}

/**
 * Returns whether a report names both nodes of a disagreement. It cannot say that a node is stuck, only how old its final block is; nor
 * that the time of a run was spent waiting for one.
 */
function isExplained({ cast: { liar, nodes } }: World, last: IngestReport | undefined): boolean {
  if (last?.outcome !== 'failed') {
    const isLate = nodes.some(({ latencyMs }) => latencyMs === LATE_MS);
    return liar === 'an old head' || liar === 'a stuck node' || isLate;
  }
  const reason = last.reason ?? '';
  return (
    /has no anchor|the final block is|disagree|reports 0x|(it|parent) is 0x|hosts report the gas pricing/.test(
      reason,
    ) &&
    /\ba\.test\b/.test(reason) &&
    /\bliar\.test\b/.test(reason)
  );
}
