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

const PROGRESS = 'progress#';
const RESTATEMENT = 'restatement#';
const WAITING = 'waiting#';
const SUSPECT = 'suspect#';
const EVENT = 'event#';
const DETAILS = 'details#';
const UNPRICED = 'unpriced#';
const ARCHIVE = 'archive#';
export const CONFLICT = 'conflict#';
const FIRST_DAY: UtcDay = '0000-01-01';
const LAST_DAY: UtcDay = '9999-12-31';

export const dayKey = ({ chain }: OfChain, day: UtcDay): ItemKey => ({ chain, date: day });

export const coverageKey = ({ chain }: OfChain): ItemKey => ({ chain, date: 'coverage' });

export const finalityKey = ({ chain }: OfChain): ItemKey => ({ chain, date: 'finality' });

export const lagKey = ({ chain }: OfChain): ItemKey => ({ chain, date: 'lag' });

/** A restatement has its own key, so that it never continues from the progress of a first reading. */
export const checkpointKey = (
  { chain }: OfChain,
  { day, restatement }: { readonly day: UtcDay; readonly restatement?: unknown },
): ItemKey => ({ chain, date: `${restatement ? RESTATEMENT : PROGRESS}${day}` });

const keyAfter =
  (prefix: string) =>
  ({ chain }: OfChain, rest: string): ItemKey => ({ chain, date: prefix + rest });

export const waitingKey = keyAfter(WAITING);

/** Returns the day of a checkpoint, a waiting day or an unpriced day from its sort key. */
export const dayOfCheckpoint = (date: string): UtcDay => date.slice(date.indexOf('#') + 1);

export const suspectKey = (
  { chain }: OfChain,
  { host, process }: { readonly host: string; readonly process: string },
): ItemKey => ({ chain, date: `${SUSPECT}${host}#${process}` });

export interface DayRevision {
  readonly day: UtcDay;
  readonly revision: number;
}

/** Pads revisions to six digits, so that their keys sort by number. */
const revisionOf = ({ day, revision }: DayRevision): string => `${day}#${String(revision).padStart(6, '0')}`;

/** @param event `isPriced` distinguishes the event about the dollars of a revision from the first one */
export const unsentEventKey = (
  { chain }: OfChain,
  event: DayRevision & { readonly isPriced?: boolean | undefined },
): ItemKey => ({ chain, date: `${EVENT}${revisionOf(event)}${event.isPriced ? '#priced' : ''}` });

export const detailsKey = (ofChain: OfChain, of: DayRevision): ItemKey =>
  keyAfter(DETAILS)(ofChain, revisionOf(of));

export const isDetails = ({ date }: { readonly date?: unknown }): boolean => String(date).startsWith(DETAILS);

/** Returns the query of the details of all revisions of the days from `first` to `last`, both included. */
export const detailsRange = (ofChain: OfChain, first: UtcDay = FIRST_DAY, last: UtcDay = LAST_DAY) =>
  dayRange(ofChain, DETAILS + first, `${DETAILS}${last}$`);

export const dayRange = ({ chain }: OfChain, first: UtcDay = FIRST_DAY, last: UtcDay = LAST_DAY) => ({
  KeyConditionExpression: 'chain = :chain AND #date BETWEEN :first AND :last',
  ExpressionAttributeNames: { '#date': 'date' },
  ConsistentRead: true,
  ExpressionAttributeValues: { ':chain': chain, ':first': first, ':last': last },
});

export const coverageRange = (ofChain: OfChain) => prefixRange(ofChain, 'coverage');

/** @param day all days by default */
export const restatementRange = (ofChain: OfChain, day: UtcDay = '') =>
  prefixRange(ofChain, `${RESTATEMENT}${day}`);

export const checkpointRange = (ofChain: OfChain) => prefixRange(ofChain, PROGRESS);

export const waitingRange = (ofChain: OfChain) => prefixRange(ofChain, WAITING);

export const feedKey = keyAfter('feed#');

export const unpricedKey = keyAfter(UNPRICED);

export const unpricedRange = (ofChain: OfChain) => prefixRange(ofChain, UNPRICED);

/** By the SHA-256 of a file. */
export const archiveKey = keyAfter(ARCHIVE);

export const isArchiveFile = ({ date }: { readonly date?: unknown }): boolean =>
  String(date).startsWith(ARCHIVE);

export const archiveRange = (ofChain: OfChain) => prefixRange(ofChain, ARCHIVE);

export const unsentEventRange = (ofChain: OfChain) => prefixRange(ofChain, EVENT);

export const suspectRange = (ofChain: OfChain) => prefixRange(ofChain, SUSPECT);

/** By a day, or by what concerns no day. */
export const conflictKey = keyAfter(CONFLICT);

export const conflictRange = (ofChain: OfChain) => prefixRange(ofChain, CONFLICT);

const prefixRange = ({ chain }: OfChain, prefix: string) => ({
  KeyConditionExpression: 'chain = :chain AND begins_with(#date, :prefix)',
  ExpressionAttributeNames: { '#date': 'date' },
  ConsistentRead: true,
  ExpressionAttributeValues: { ':chain': chain, ':prefix': prefix },
});
