import { unprovenOf } from '../../lambda/chains/provable.ts';
import type { UtcDay } from '../../lambda/chains/utc-day.ts';
import { listCheckedDays } from '../../lambda/store/days.ts';
import { listRestatements } from '../../lambda/store/restatements.ts';
import { pluralize } from '../print.ts';
import type { ServedChain } from '../service.ts';

export interface CheckedDay {
  readonly served: ServedChain;
  readonly day: UtcDay;
}

/** The final days whose evidence is `checked`. */
export interface CheckedDays {
  /** Days that a restatement can prove, the newest first: nodes are likelier to have them. */
  readonly provable: readonly CheckedDay[];
  /** The reasons why other days are left out, in sentences. */
  readonly notes: readonly string[];
}

/** Finds the checked days of chains. Days whose restatement is left to the service are not among them. */
export async function findCheckedDays(chains: readonly ServedChain[]): Promise<CheckedDays> {
  const found = await Promise.all(chains.map(findInChain));
  return {
    provable: found
      .flatMap(({ provable }) => provable)
      .toSorted((a, b) => b.day.localeCompare(a.day) || a.served.name.localeCompare(b.served.name)),
    notes: found.flatMap(({ notes }) => notes),
  };
}

async function findInChain(served: ServedChain): Promise<CheckedDays> {
  const { name, chain, store, evidence } = served;
  const [checked, requests] = await Promise.all([
    listCheckedDays(store, chain.firstDay),
    listRestatements(store),
  ]);
  if (checked.length === 0) return { provable: [], notes: [] };
  const count = (days: number) => `${name}: ${pluralize(days, 'checked day')}`;
  if (evidence === 'checked') {
    const reason = "the chain's setting `evidence` accepts blocks that are not proven";
    return { provable: [], notes: [`${count(checked.length)} skipped: ${reason}.`] };
  }
  const reasonOf = ({ first }: (typeof checked)[number]) =>
    first && unprovenOf(chain.rules, first.number)?.reason;
  const unprovable = checked.filter((day) => reasonOf(day) !== undefined);
  const left = new Set(requests.filter(({ restatement }) => !restatement?.isByHand).map(({ day }) => day));
  const provable = checked.filter((day) => !unprovable.includes(day));
  const [earliest] = unprovable;
  const requested = provable.filter(({ day }) => left.has(day)).length;
  return {
    provable: provable.filter(({ day }) => !left.has(day)).map(({ day }) => ({ served, day })),
    notes: [
      ...(earliest ? [`${count(unprovable.length)} cannot be proven: ${reasonOf(earliest)}.`] : []),
      ...(requested > 0
        ? [`${count(requested)} left to the ingest, which was requested to restate them.`]
        : []),
    ],
  };
}
