import type { UtcDay } from '../../lambda/chains/utc-day.ts';
import type { FaultKind } from '../../lambda/rpc/endpoint.ts';
import type { Latency, Limits } from './speed.ts';

/** What is looked at, in this order. An endpoint cannot do without the first three, and after one of them nothing else is tried. */
export const CHECKS = ['chain ID', 'finalized block', 'receipts', 'history', 'latency', 'limits'] as const;
export type Check = (typeof CHECKS)[number];
export const NEEDED: ReadonlySet<Check> = new Set(['chain ID', 'finalized block', 'receipts']);

/** Why a check could not be passed or finished; the reason begins with what the endpoint is called by. */
export interface Problem {
  readonly check: Check;
  readonly kind: FaultKind | 'old' | 'out of time';
  readonly reason: string;
}

/** What was found of one endpoint, as far as it came. */
export interface Examination {
  readonly endpoint: string;
  readonly finalized?: { readonly number: number; readonly timestamp: number };
  readonly has_receipts?: boolean;
  readonly history?: History;
  /** Seconds from one block to the next, over the last 1,000. */
  readonly seconds_per_block?: number;
  readonly header_latency?: Latency;
  readonly receipts_latency?: Latency;
  readonly limits?: Limits;
  readonly problems: readonly Problem[];
}

interface History {
  /** The oldest block that it has whole, and the first day that can be read with it. */
  readonly block: number;
  readonly since: UtcDay;
  /** Why not the one before. */
  readonly ends_because?: string;
}

/** An examination under way: each check adds what it finds. */
export type Known = { -readonly [Part in keyof Omit<Examination, 'problems'>]: Examination[Part] };
