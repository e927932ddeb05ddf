import { addDays, type UtcDay } from '../../lambda/chains/utc-day.ts';
import type { Upstream } from '../../lambda/rpc/upstream.ts';
import type { Restatement } from '../../lambda/store/checkpoint-item.ts';
import { getDay } from '../../lambda/store/days.ts';
import { listRestatements, requestRestatement } from '../../lambda/store/restatements.ts';
import { probeChain, requestContext } from '../endpoints.ts';
import { CommandError } from '../exit-codes.ts';
import { type DayResult, type DayWork, ingestDayFully } from '../ingest-day.ts';
import { interrupted, orStopped } from '../interrupt.ts';
import { printNote } from '../print.ts';
import type { ServedChain } from '../service.ts';

/**
 * Checks that an endpoint responds, before a restatement is requested: one that this command cannot perform would be left to
 * the service.
 * @throws CommandError when none responds
 */
export async function checkReachable(served: ServedChain, upstreams: readonly Upstream[]): Promise<void> {
  const probed = new AbortController();
  const context = requestContext(AbortSignal.any([interrupted, probed.signal]));
  const probing = probeChain(served, upstreams, context).finally(() => probed.abort());
  const probe = await orStopped(probing, 'Stopped. No restatement was requested.');
  if (probe.kind === 'no endpoint') throw new CommandError(`No restatement was requested: ${probe.reason}`);
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

/** The result of a restatement: the days that were read again, or the day at which it stopped. */
type Performed =
  | { readonly state: 'restated'; readonly days: readonly UtcDay[] }
  | (Exclude<DayResult, { readonly state: 'final' }> & { readonly day: UtcDay });

/**
 * Performs the requested restatement of a day. When it moves the day's end, the following day was requested too, and is
 * performed too, and so on.
 */
export async function performRestatement(work: DayWork, first: UtcDay): Promise<Performed> {
  const { store } = work.served;
  const endOf = async (day: UtcDay) => (await getDay(store, day))?.last.hash;
  const days: UtcDay[] = [];
  for (let day = first; ; day = addDays(day, 1)) {
    const before = await endOf(day);
    const result = await ingestDayFully(work, day);
    if (result.state !== 'final') return { ...result, day };
    days.push(day);
    const isNextRequested = (await listRestatements(store, addDays(day, 1))).length > 0;
    if ((await endOf(day)) === before || !isNextRequested) return { state: 'restated', days };
  }
}
