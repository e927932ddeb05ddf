import type { UtcDay } from '../../figures/calendar.ts';

/**
 * Keys of the metrics table. The partition key `chain` is the name of the chain. The sort key `date` says what the item is:
 *
 * - `2026-11-18`: a final day
 * - `progress#2026-11-18`: the checkpoint of a day that is not final yet
 * - `restatement#2026-11-18`: the checkpoint of a restatement
 * - `waiting#2026-11-18`: a complete day that is not final until the day after it is
 * - `coverage`: which days are final
 * - `conflict#2026-11-18`: an open conflict about a day; `conflict#final-block`: a dispute about the final block;
 *   `conflict#finality`: the chain's own evidence of finality is missing
 * - `finality`: the newest block that the chain has proven to be final
 * - `lag`: how far the ingest is behind the chain
 * - `details#2026-11-18#000001`: the hours of a revision of a day, and counts of its fees
 * - `feed#2026-11-18`: the contract that recorded prices on that day
 * - `unpriced#2026-11-18`: a day whose fees in dollars are still to be computed
 * - `event#2026-11-18#000001`: an event that is to be sent, of a revision of a day
 * - `archive#9f86…`: a file of an archive, by its SHA-256, with its audits
 * - `suspect#a.example#4f99…`: a process that reads a big response of an endpoint, or crashed while it did
 *
 * Sort keys other than days begin with a letter, so that no range of days includes them.
 */
export interface ItemKey {
  readonly chain: string;
  readonly date: string;
}

interface OfChain {
  readonly chain: string;
}

type Kind =
  | ('coverage' | 'finality' | 'lag')
  | ('progress' | 'restatement' | 'waiting' | 'details' | 'unpriced' | 'event')
  | ('conflict' | 'feed' | 'archive' | 'suspect');

/** @param of what the item is about; absent if a chain has one item of the kind */
export const itemKey = ({ chain }: OfChain, kind: Kind, of?: string): ItemKey => ({
  chain,
  date: of === undefined ? kind : `${kind}#${of}`,
});

export const isOfKind = ({ date }: { readonly date?: unknown }, kind: Kind): boolean =>
  String(date).startsWith(`${kind}#`);

/** Returns the day of a checkpoint, a waiting day or an unpriced day from its sort key. */
export const dayOfKey = (date: string): UtcDay => date.slice(date.indexOf('#') + 1);

/** Returns the query of the items of a kind. @param day all by default */
export const kindRange = ({ chain }: OfChain, kind: Kind, day?: UtcDay) => ({
  KeyConditionExpression: 'chain = :chain AND begins_with(#date, :prefix)',
  ExpressionAttributeNames: { '#date': 'date' },
  ConsistentRead: true,
  ExpressionAttributeValues: { ':chain': chain, ':prefix': itemKey({ chain }, kind, day).date },
});

const FIRST_DAY: UtcDay = '0000-01-01';
const LAST_DAY: UtcDay = '9999-12-31';

export const dayKey = ({ chain }: OfChain, day: UtcDay): ItemKey => ({ chain, date: day });

/** Returns the query of the days from `first` to `last`, both included. */
export const dayRange = ({ chain }: OfChain, first: UtcDay = FIRST_DAY, last: UtcDay = LAST_DAY) => ({
  KeyConditionExpression: 'chain = :chain AND #date BETWEEN :first AND :last',
  ExpressionAttributeNames: { '#date': 'date' },
  ConsistentRead: true,
  ExpressionAttributeValues: { ':chain': chain, ':first': first, ':last': last },
});

/** Returns the query of the details of all revisions of the days from `first` to `last`, both included. */
export const detailsRange = (ofChain: OfChain, first: UtcDay = FIRST_DAY, last: UtcDay = LAST_DAY) =>
  dayRange(ofChain, `details#${first}`, `details#${last}$`);

export interface DayRevision {
  readonly day: UtcDay;
  readonly revision: number;
}

/** Pads revisions to six digits, so that their keys sort by number. */
export const revisionKey = (ofChain: OfChain, kind: 'details' | 'event', { day, revision }: DayRevision) =>
  itemKey(ofChain, kind, `${day}#${String(revision).padStart(6, '0')}`);
