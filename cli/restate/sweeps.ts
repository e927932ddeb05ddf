import { unprovenOf } from '../../core/chains/provable.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import type { Restatement } from '../../core/figures/day-figures.ts';
import { listCheckedDays, listUnmeasuredDays } from '../../core/store/days.ts';
import { listRestatements } from '../../core/store/restatements.ts';
import { pluralize } from '../print.ts';
import type { ServedChain } from '../service.ts';

/** A reason to read many final days again. */
export interface Sweep {
  readonly flag: string;
  /** The request for each of its days. */
  readonly request: Pick<Restatement, 'reason' | 'addsMeasures'>;
  readonly list: (served: ServedChain) => Promise<readonly Candidate[]>;
  /** Names its days. */
  readonly days: (count: number) => string;
  readonly words: Readonly<Record<'doing' | 'requesting' | 'requested' | 'done' | 'all' | 'none', string>>;
}

/** A day that may be read again, or why that would not help. */
interface Candidate {
  readonly day: UtcDay;
  readonly problem?: string | undefined;
}

/** Proves the days that are only checked. */
export const allChecked: Sweep = {
  flag: '--all-checked',
  request: { reason: 'prove a day that was only checked' },
  list: listChecked,
  days: (count) => pluralize(count, 'checked day'),
  words: {
    doing: 'Restating',
    requesting: 'Requesting the restatement of',
    requested: 'Requested the restatement of',
    done: 'Restated DAYS: every block is proven now.',
    all: 'final day is proven.',
    none: 'There is nothing to restate.',
  },
};

/** Adds what earlier versions did not store. It changes no figure, so it is no restatement. */
export const addMeasures: Sweep = {
  flag: '--add-measures',
  request: { reason: 'add measures, hours and the distribution', addsMeasures: true },
  list: async ({ chain, store }) => (await listUnmeasuredDays(store, chain.firstDay)).map((day) => ({ day })),
  days: (count) => `${pluralize(count, 'day')} without measures`,
  words: {
    doing: 'Reading',
    requesting: 'Requesting the measures of',
    requested: 'Requested the measures of',
    done: 'Added the measures of DAYS.',
    all: 'final day has its measures.',
    none: 'There is nothing to read.',
  },
};

/** A day of a sweep. */
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

/** Finds days of chains. Those that the service was requested to read again are left to it. */
export async function findDays(chains: readonly ServedChain[], sweep: Sweep): Promise<FoundDays> {
  const inChains = await Promise.all(chains.map((served) => findInChain(served, sweep)));
  return {
    found: inChains
      .flatMap(({ found }) => found)
      .toSorted((a, b) => b.day.localeCompare(a.day) || a.served.name.localeCompare(b.served.name)),
    notes: inChains.flatMap(({ notes }) => notes),
  };
}

async function findInChain(served: ServedChain, { list, days }: Sweep): Promise<FoundDays> {
  const { name, store } = served;
  const [candidates, requests] = await Promise.all([list(served), listRestatements(store)]);
  const left = new Set(requests.filter(({ restatement }) => !restatement?.isByHand).map(({ day }) => day));
  const reasonOf = ({ day, problem }: Candidate) =>
    problem ?? (left.has(day) ? 'the ingest was requested to restate them' : undefined);
  const byReason = Map.groupBy(candidates, reasonOf);
  return {
    found: (byReason.get(undefined) ?? []).map(({ day }) => ({ served, day })),
    notes: [...byReason].flatMap(([reason, own]) =>
      reason ? [`${name}: ${days(own.length)} left out: ${reason}.`] : [],
    ),
  };
}

async function listChecked({ chain, store, evidence }: ServedChain): Promise<readonly Candidate[]> {
  const isAccepted = evidence !== undefined && evidence !== 'proven';
  return (await listCheckedDays(store, chain.firstDay)).map(({ day, first }) => ({
    day,
    problem: isAccepted
      ? "the chain's setting `evidence` accepts blocks that are not proven"
      : first && unprovenOf(chain.rules, first.number)?.reason,
  }));
}
