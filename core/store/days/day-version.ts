import { integer, optionalInteger } from '../attributes/shared-attributes.ts';
import type { DayRevision } from '../table/keys.ts';
import type { Condition } from '../table/table.ts';

/** The version of a day's item that was read. */
export interface DayVersion extends DayRevision {
  /** Counts the additions to this revision; absent before the first. */
  readonly amendments?: number | undefined;
}

export const versionShape = { revision: integer, amendments: optionalInteger };

/** Returns the condition that nobody has written a day since it was read. Every writer raises one of the two counters. */
export const isStill = ({ revision, amendments }: Omit<DayVersion, 'day'>): Condition => ({
  ConditionExpression: `revision = :revision AND ${amendments === undefined ? 'attribute_not_exists(amendments)' : 'amendments = :amendments'}`,
  ExpressionAttributeValues: { ':revision': revision, ...(amendments && { ':amendments': amendments }) },
});
