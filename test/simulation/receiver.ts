import type { DayEvent } from '#core/events/day-events.ts';
import { coinAmount } from '#core/figures/amounts.ts';
import type { UtcDay } from '#core/figures/calendar.ts';
import { totalFees } from '#core/figures/fee-parts.ts';
import type { RandomChain } from '#test/support/generators/random/random-chain.ts';
import { ViolationError } from './oracle.ts';

/** A receiver of events that knows which it must get, and in which order. */
export interface Receiver {
  /** Called when a writer has noted that the event of a revision is to be sent: those of all days that are visible by then come first. */
  readonly note: (day: UtcDay, revision: number) => void;
  /** Called when a revision of a day is visible. */
  readonly expect: (day: UtcDay, revision: number) => void;
  /** Called when a day is deleted: its events need not come. */
  readonly forget: (day: UtcDay) => void;
  readonly receive: (event: DayEvent) => void;
  /** @throws ViolationError when an event was wrong or came too early */
  readonly check: () => void;
  /** Returns an event that has not come, or undefined. */
  readonly whatIsMissing: () => string | undefined;
  readonly counts: { received: number; repeated: number };
}

const keyOf = (day: UtcDay, revision: number) => `${day} revision ${String(revision).padStart(6, '0')}`;

export function receiverOf({ chain, expected }: RandomChain): Receiver {
  /** Visible revisions, in the order in which they became visible. */
  const visible: string[] = [];
  /** By revision, those whose events must come before. */
  const earlier = new Map<string, Set<string>>();
  const deleted = new Set<string>();
  const received = new Set<string>();
  const counts = { received: 0, repeated: 0 };
  let violation: string | undefined;

  const problemOf = ({ 'detail-type': type, detail }: DayEvent): string | undefined => {
    const day = expected.get(detail.date);
    const isExact =
      detail.chain === chain.name &&
      detail.transaction_count === day?.transactions &&
      detail.fees === coinAmount(totalFees(day.fees)) &&
      type === (detail.revision === 1 ? 'Day Final' : 'Day Restated') &&
      (detail.restatements ?? []).length === detail.revision - 1;
    if (!isExact) return `is ${JSON.stringify(detail)}`;
    const key = keyOf(detail.date, detail.revision);
    if (deleted.has(key)) return undefined;
    if (!visible.includes(key)) return 'is not about a day that was visible';
    const overtaken = visible.find((other) => earlier.get(key)?.has(other) && !received.has(other));
    return overtaken && `came before that of ${overtaken}, which was final before`;
  };
  return {
    note: (day, revision) => {
      const key = keyOf(day, revision);
      earlier.set(key, new Set(visible.filter((other) => other !== key && !received.has(other))));
    },
    expect: (day, revision) => {
      const key = keyOf(day, revision);
      deleted.delete(key);
      if (!visible.includes(key)) visible.push(key);
    },
    forget: (day) => {
      const late = visible.filter((key) => key.startsWith(day) && !received.has(key));
      for (const key of late) {
        visible.splice(visible.indexOf(key), 1);
        deleted.add(key);
        // If the day becomes final again, it is later than all others.
        for (const others of earlier.values()) others.delete(key);
      }
    },
    receive: (event) => {
      const { date, revision } = event.detail;
      const key = keyOf(date, revision);
      const problem = received.has(key) ? undefined : problemOf(event);
      violation ??= problem && `the event of ${key} ${problem}`;
      if (received.has(key)) counts.repeated += 1;
      counts.received += 1;
      received.add(key);
    },
    check: () => {
      if (violation) throw new ViolationError(violation);
    },
    whatIsMissing: () => {
      const missing = visible.find((key) => !received.has(key));
      return missing && `the event of ${missing}`;
    },
    counts,
  };
}
