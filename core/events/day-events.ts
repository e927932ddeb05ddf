import * as z from 'zod/mini';
import { dayRow, type PublicRow, publicDayShape } from '../rows/day-row.ts';
import { deleteUnsentEvent, listUnsentEvents } from '../store/days/notes.ts';
import { dayKey } from '../store/table/keys.ts';
import type { ChainStore, Item } from '../store/table/table.ts';

export const EVENT_SOURCE = 'chain-insights';
export const eventTypes = ['Day Final', 'Day Restated', 'Day Priced'] as const;

/** A message about a final day, as EventBridge passes it on. docs/events.md describes it. */
export interface DayEvent {
  readonly 'detail-type': (typeof eventTypes)[number];
  readonly source: typeof EVENT_SOURCE;
  readonly detail: { readonly chain: string } & PublicRow;
}

/** Sends one event. Resolves once the receiver has it; rejects if it fails or the signal aborts. */
export type SendEvent = (event: DayEvent, signal: AbortSignal) => Promise<void>;

const publicDaySchema = z.object({ date: z.string(), ...publicDayShape });

const revisionsSchema = z.looseObject({
  revision: z.bigint(),
  restated: z._default(z.array(z.looseObject({ revision: z.bigint() })), []),
});

/**
 * Returns the event of a revision of a day. It is the same at any time.
 * @param item the day, perhaps restated since
 * @returns undefined if the item does not contain this revision any more, as after some imports, or not with dollars
 */
export function dayEvent(
  chain: string,
  item: Item,
  revision: number,
  isPriced = false,
): DayEvent | undefined {
  const { restated, ...newest } = revisionsSchema.parse(item);
  const revisions = [...restated, newest];
  const index = revisions.findLastIndex((one) => one.revision === BigInt(revision));
  if (index === -1 || (isPriced && revisions[index]?.fees_usd === undefined)) return undefined;
  const earlier = restated.slice(0, index);
  const day = publicDaySchema.parse({ ...revisions[index], date: item.date, restated: earlier });
  return {
    'detail-type': isPriced ? 'Day Priced' : revision === 1 ? 'Day Final' : 'Day Restated',
    source: EVENT_SOURCE,
    detail: { chain, ...dayRow(day) },
  };
}

/** Time limit for sending the events of a chain. The ingest continues afterwards. */
const MAX_MS = 10_000;

/**
 * Sends the events that are due, in the order in which their days became final. Stops at the first failure, so that no event overtakes
 * another. Two runs may send the same event.
 * @param now returns milliseconds since 1970
 * @returns the reason of the failure; undefined when all are sent, or the time is over
 */
export async function sendDueEvents(
  store: ChainStore,
  send: SendEvent,
  { signal, now }: { readonly signal: AbortSignal; readonly now: () => number },
): Promise<string | undefined> {
  const stopAt = now() + MAX_MS;
  // Days that become final meanwhile belong to other runs, which send their own events, or to commands. The next run sends the latter.
  for (const unsent of await listUnsentEvents(store)) {
    const item = await store.table.getItem(dayKey(store, unsent.day));
    if (now() >= stopAt) return undefined;
    // A day that was deleted has no event.
    const event = item && dayEvent(store.chain, item, unsent.revision, unsent.is_priced);
    const failure = event && (await failureOf(send(event, signal)));
    signal.throwIfAborted();
    if (failure !== undefined) {
      return `The event of ${store.chain} ${unsent.day} was not sent: ${failure}. The next run tries again.`;
    }
    await deleteUnsentEvent(store, unsent);
  }
  return undefined;
}

const failureOf = (sending: Promise<void>): Promise<string | undefined> =>
  sending.then(
    () => undefined,
    (error: unknown) => String(error).replace(/^Error: /, ''),
  );
