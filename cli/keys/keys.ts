import type { UtcDay } from '../../core/figures/calendar.ts';
import type { Config } from '../../lib/config.ts';

/** The API keys of a service: kept by API Gateway when deployed, in a table of its own on this machine. */
export interface Keys {
  /** Name of the service in messages; see Service. */
  readonly title: string;
  /** Flags that make a command line address the same service. */
  readonly flags: string;
  readonly tiers: readonly Tier[];
  /** Valid keys that nobody issued. They can be counted, not changed. */
  readonly builtIn: readonly CountedKey[];
  readonly list: () => Promise<readonly Key[]>;
  /** Creates a key that is valid at once. */
  readonly issue: (request: KeyRequest) => Promise<IssuedKey>;
  readonly setEnabled: (key: Key, enabled: boolean) => Promise<void>;
  /**
   * Counts the requests of keys per day.
   * @returns the days by key ID; days without requests may be missing
   */
  readonly usage: (
    keys: readonly CountedKey[],
    range: UsageRange,
  ) => Promise<ReadonlyMap<string, DayUsage[]>>;
}

/** A key without its value. */
export interface Key {
  readonly id: string;
  readonly name: string;
  /** Undefined when the key is in no usage plan of the service, and therefore not valid. */
  readonly tier?: string | undefined;
  readonly enabled: boolean;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ID of the key that this one replaces. */
  readonly replaces?: string | undefined;
}

export type CountedKey = Pick<Key, 'id' | 'name' | 'tier'>;

export interface KeyRequest {
  readonly name: string;
  readonly tier: string;
  readonly replaces?: string;
}

export interface IssuedKey {
  readonly key: Key;
  /** The secret that clients send. It is not stored, so this is the only chance to read it. */
  readonly value: string;
}

/** A usage plan. */
export interface Tier {
  readonly name: string;
  /** Undefined for a deployed plan that the stage no longer defines. */
  readonly limits?: Config['tiers'][string] | undefined;
}

/** Days, both included. */
export interface UsageRange {
  readonly first: UtcDay;
  readonly last: UtcDay;
}

export interface DayUsage {
  readonly date: UtcDay;
  readonly requests: number;
  /** Requests left of the month's quota at the end of the day; undefined without a quota. */
  readonly remaining?: number | undefined;
}
