import { unprovenOf } from '../../core/chains/provable.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { type CheckedDay, listCheckedDays } from '../../core/store/days/days.ts';
import { listRestatements } from '../../core/store/days/restatements.ts';
import { pluralize } from '../print.ts';
import type { ServedChain } from '../service.ts';

/** A final day that is not proven. */
export interface FoundDay {
  readonly served: ServedChain;
  readonly day: UtcDay;
}

interface FoundDays {
  /** The newest first: nodes are likelier to have them. */
  readonly found: readonly FoundDay[];
  /** The reasons that other days are left out, in sentences. */
  readonly notes: readonly string[];
}

/** Finds days of chains that may be proven. Those that the service was requested to read again are left to it. */
export async function findCheckedDays(chains: readonly ServedChain[]): Promise<FoundDays> {
  const inChains = await Promise.all(chains.map(findInChain));
  return {
    found: inChains
      .flatMap(({ found }) => found)
      .toSorted((a, b) => b.day.localeCompare(a.day) || a.served.name.localeCompare(b.served.name)),
    notes: inChains.flatMap(({ notes }) => notes),
  };
}

async function findInChain(served: ServedChain): Promise<FoundDays> {
  const { name, chain, store } = served;
  const [checked, requests] = await Promise.all([
    listCheckedDays(store, chain.firstDay),
    listRestatements(store),
  ]);
  const left = new Set(requests.filter(({ restatement }) => !restatement?.isByHand).map(({ day }) => day));
  const byReason = Map.groupBy(
    checked,
    (one) =>
      problemOf(served, one) ?? (left.has(one.day) ? 'the ingest was requested to restate them' : undefined),
  );
  return {
    found: (byReason.get(undefined) ?? []).map(({ day }) => ({ served, day })),
    notes: [...byReason].flatMap(([reason, own]) =>
      reason ? [`${name}: ${pluralize(own.length, 'checked day')} left out: ${reason}.`] : [],
    ),
  };
}

/** Returns why reading a day again would not prove it. */
function problemOf({ chain, evidence }: ServedChain, { first }: CheckedDay): string | undefined {
  if (evidence !== undefined && evidence !== 'proven')
    return "the chain's setting `evidence` accepts blocks that are not proven";
  return first && unprovenOf(chain.rules, first.number)?.reason;
}
