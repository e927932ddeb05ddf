import type { UtcDay } from '../../lambda/chains/utc-day.ts';
import type { Upstream } from '../../lambda/rpc/upstream.ts';
import type { Restatement } from '../../lambda/store/checkpoint-item.ts';
import { listRestatements, requestRestatement } from '../../lambda/store/restatements.ts';
import { probeChain, requestContext } from '../endpoints.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { interrupted } from '../interrupt.ts';
import { printNote } from '../print.ts';
import type { ServedChain } from '../service.ts';

/**
 * Checks that an endpoint responds, before a restatement is requested: one that this command cannot perform would be left to
 * the service.
 * @throws CommandError when none responds
 */
export async function checkReachable(served: ServedChain, upstreams: readonly Upstream[]): Promise<void> {
  const probed = new AbortController();
  try {
    const context = requestContext(AbortSignal.any([interrupted, probed.signal]));
    const probe = await probeChain(served, upstreams, context);
    if (probe.kind === 'no endpoint') throw new CommandError(`No restatement was requested: ${probe.reason}`);
  } catch (error) {
    if (!interrupted.aborted) throw error;
    throw new CommandError('Stopped. No restatement was requested.', exitCodes.interrupted);
  } finally {
    probed.abort();
  }
}

/**
 * Requests the restatement of a day. Returns the pending one if it was requested before.
 * @param isByHand leaves it to commands: the service's runs do not perform it
 * @throws CommandError when the service is to perform a pending one
 */
export async function request(
  { name, store }: ServedChain,
  date: UtcDay,
  { reason, isByHand }: { readonly reason: string; readonly isByHand: boolean },
): Promise<Restatement> {
  const restatement = { reason, requestedAt: new Date().toISOString(), isByHand };
  if (await requestRestatement(store, date, restatement)) return restatement;
  const [checkpoint] = await listRestatements(store, date);
  const pending = checkpoint?.restatement ?? restatement;
  const since = `${name} ${date}: a restatement is pending since ${pending.requestedAt}, with the reason "${pending.reason}"`;
  if (isByHand && !pending.isByHand) {
    throw new CommandError(
      `${since}. The service performs it from its own endpoints. Wait until it is done.`,
    );
  }
  printNote(`${since}.`);
  return pending;
}
