import type { UtcDay } from '../../lambda/chains/utc-day.ts';

/** The keys of a service: API Gateway's where it is deployed, and its own on this machine. */
export interface Keys {
  /** What the service is called in messages, and what a command line for it needs; see Service. */
  readonly title: string;
  readonly flags: string;
  readonly tiers: readonly Tier[];
  /** Keys that are accepted without having been issued. They can only be counted. */
  readonly given: readonly CountedKey[];
  readonly list: () => Promise<readonly Key[]>;
  /** Makes a key that is accepted from now on. */
  readonly issue: (wish: KeyWish) => Promise<IssuedKey>;
  readonly setEnabled: (key: Key, enabled: boolean) => Promise<void>;
  /**
   * What keys were used for.
   * @returns by their IDs; a day may be left out when a key was not used on it
   */
  readonly usage: (keys: readonly CountedKey[], range: Range) => Promise<ReadonlyMap<string, DayUsage[]>>;
}

/** What is known of a key, but for its value. */
export interface Key {
  readonly id: string;
  readonly name: string;
  /** None when it is in no usage plan of the service, where it is not accepted. */
  readonly tier?: string | undefined;
  readonly enabled: boolean;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ID of the key in whose place it was issued. */
  readonly replaces?: string | undefined;
}

export type CountedKey = Pick<Key, 'id' | 'name' | 'tier'>;

export interface KeyWish {
  readonly name: string;
  readonly tier: string;
  readonly replaces?: string;
}

export interface IssuedKey {
  readonly key: Key;
  /** What a client sends. It is to be seen this once. */
  readonly value: string;
}

/** A usage plan. */
export interface Tier {
  readonly name: string;
  /** Unknown for a plan that the stage's file does not have any more. */
  readonly limits?: Limits | undefined;
}

interface Limits {
  readonly ratePerSecond: number;
  readonly burst: number;
  readonly requestsPerMonth: number;
}

/** Days, both included. */
export interface Range {
  readonly first: UtcDay;
  readonly last: UtcDay;
}

export interface DayUsage {
  readonly date: UtcDay;
  readonly requests: number;
  /** What was left of the month's quota when the day ended; none where there is no quota. */
  readonly remaining?: number | undefined;
}
