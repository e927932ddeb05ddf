import type { UtcDay } from '../../figures/calendar.ts';

/** A key of the metrics table: the name of a chain, and the date of a final day, such as `2026-11-18`, or what else the item is. */
export interface ItemKey {
  readonly chain: string;
  readonly date: string;
}

type OfChain = Pick<ItemKey, 'chain'>;

/** The kinds of other items. Their names begin with a letter, so that no range of days includes them. */
type Kind =
  | 'coverage' // which days are final
  | 'finality' // the newest block that the chain has proven to be final
  | 'lag' // how far the ingest is behind the chain
  | 'schedule' // the forks that hosts say are scheduled
  | 'progress' // `progress#2026-11-18`: the checkpoint of a day that is not final yet
  | 'restatement' // of a day: the checkpoint of its restatement
  | 'waiting' // a day whose blocks are all read, and that is final once the day after it is; or one to read again
  | 'conflict' // an open conflict about a day, the `final-block`, or missing evidence of `finality`
  | 'details' // `details#2026-11-18#000001`: the hours of a revision of a day, and counts of its fees
  | 'event' // of a revision of a day: an event that is to be sent
  | 'unpriced' // a day whose fees in dollars are still to be computed
  | 'feed' // the contract that recorded prices on a day
  | 'archive' // `archive#9f86…`: a file of an archive, by its SHA-256, with its audits
  | 'suspect'; // `suspect#a.example#4f99…`: an endpoint that gave a wrong block, or whose big response a process reads

/** @param of what the item is about; absent if a chain has one item of the kind */
export const itemKey = ({ chain }: OfChain, kind: Kind, of?: string): ItemKey => ({
  chain,
  date: of === undefined ? kind : `${kind}#${of}`,
});

export const isOfKind = ({ date }: { readonly date?: unknown }, kind: Kind): boolean =>
  String(date).startsWith(`${kind}#`);

/** Returns the day of a checkpoint, a waiting day or an unpriced day from its sort key. */
export const dayOfKey = (date: string): UtcDay => date.slice(date.indexOf('#') + 1);

/** The query of items of a chain by their sort keys. */
interface KeyRange {
  readonly KeyConditionExpression: string;
  readonly ExpressionAttributeNames: { readonly '#date': string };
  readonly ExpressionAttributeValues: { readonly ':chain': string };
}

const rangeOf = (chain: string, condition: string, values: object): KeyRange => ({
  KeyConditionExpression: `chain = :chain AND ${condition}`,
  ExpressionAttributeNames: { '#date': 'date' },
  ExpressionAttributeValues: { ':chain': chain, ...values },
});

/** Returns the query of the items of a kind. @param day all by default */
export const kindRange = ({ chain }: OfChain, kind: Kind, day?: UtcDay): KeyRange =>
  rangeOf(chain, 'begins_with(#date, :prefix)', { ':prefix': itemKey({ chain }, kind, day).date });

const FIRST_DAY: UtcDay = '0000-01-01';
const LAST_DAY: UtcDay = '9999-12-31';

export const dayKey = ({ chain }: OfChain, day: UtcDay): ItemKey => ({ chain, date: day });

/** Returns the query of the days from `first` to `last`, both included. */
export const dayRange = ({ chain }: OfChain, first = FIRST_DAY, last = LAST_DAY): KeyRange =>
  rangeOf(chain, '#date BETWEEN :first AND :last', { ':first': first, ':last': last });

/** Returns the query of the details of all revisions of the days from `first` to `last`, both included. */
export const detailsRange = (ofChain: OfChain, first = FIRST_DAY, last = LAST_DAY): KeyRange =>
  dayRange(ofChain, `details#${first}`, `details#${last}$`);

export interface DayRevision {
  readonly day: UtcDay;
  readonly revision: number;
}

/** Pads revisions to six digits, so that their keys sort by number. */
export const revisionKey = (
  ofChain: OfChain,
  kind: 'details' | 'event',
  { day, revision }: DayRevision,
): ItemKey => itemKey(ofChain, kind, `${day}#${String(revision).padStart(6, '0')}`);
