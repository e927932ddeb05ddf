import type { UtcDay } from '../../core/figures/calendar.ts';
import type { Config } from '../../lib/config.ts';
import { CommandError, exitCodes, usageError } from '../exit-codes.ts';
import type { CommonOptions } from '../options.ts';
import { commandLine, formatCount, formatTime } from '../print.ts';
import type { OperatedService } from '../service.ts';

/** The API keys of a service: kept by API Gateway when deployed, in a table of its own on this machine. */
export interface Keys extends Pick<OperatedService, 'title' | 'flags'> {
  readonly tiers: readonly Tier[];
  /** True of a deployed stage, whose probe has a key of its own. */
  readonly hasProbe?: boolean;
  /** Valid keys that nobody issued. They can be counted, not changed. */
  readonly builtIn: readonly CountedKey[];
  readonly list: () => Promise<readonly Key[]>;
  /** Creates a key that is valid at once. Its value is the secret that clients send, and not stored. */
  readonly issue: (request: KeyRequest) => Promise<{ readonly key: Key; readonly value: string }>;
  readonly setEnabled: (key: Key, enabled: boolean) => Promise<void>;
  /** Returns the requests of keys per day, by key ID; days without requests may be missing. */
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
}

export type CountedKey = Pick<Key, 'id' | 'name' | 'tier'>;

export interface KeyRequest {
  readonly name: string;
  readonly tier: string;
}

/** A usage plan. */
export interface Tier {
  readonly name: string;
  /** Undefined for a deployed plan that the stage no longer defines. */
  readonly limits?: Config['tiers'][string] | undefined;
}

/** Days, both included. */
export type UsageRange = Readonly<Record<'first' | 'last', UtcDay>>;

export interface DayUsage {
  readonly date: UtcDay;
  readonly requests: number;
  /** Requests left of the month's quota at the end of the day; undefined without a quota. */
  readonly remaining?: number | undefined;
}

/** Options that name keys, or the tier of a new one. */
export interface KeyOptions extends CommonOptions {
  readonly name?: string;
  readonly id?: string;
  readonly tier?: string;
}
type Named = Pick<KeyOptions, 'name' | 'id'>;

type KeyOwner = Pick<Keys, 'title' | 'flags' | 'builtIn'>;

export const keysLine = ({ flags }: Pick<Keys, 'flags'>, ...words: readonly string[]): string =>
  commandLine(flags, 'keys', ...words);

/** Returns the named tier, or the only one. @throws CommandError that lists the tiers */
export function chooseTier({ title, tiers }: Pick<Keys, 'title' | 'tiers'>, name: string | undefined): Tier {
  const [only, ...others] = tiers;
  const found = name === undefined && others.length === 0 ? only : tiers.find((tier) => tier.name === name);
  if (found) return found;
  const problem = name === undefined ? 'Choose a tier with --tier.' : `There is no tier ${name}.`;
  const lines = tiers.map((tier) => `  ${tier.name.padEnd(12)} ${showLimits(tier)}`);
  throw usageError(`${problem} ${title} has:\n${lines.join('\n')}`);
}

export const showLimits = ({ limits }: Tier): string =>
  limits
    ? `${formatCount(limits.ratePerSecond)} requests/s, bursts of ${formatCount(limits.burst)}, ${formatCount(limits.requestsPerMonth)} requests/month`
    : 'limits unknown: the stage does not define this tier';

/** @throws CommandError when a valid key already has this name */
export function checkNameIsFree(keys: KeyOwner, known: readonly Key[], name: string) {
  // Usage reports list built-in keys by name, beside those that were issued.
  if (keys.builtIn.some((key) => key.name === name)) {
    throw new CommandError(`The name ${name} is reserved for a built-in key. Choose another name.`);
  }
  const holder = known.find((key) => key.name === name && key.enabled);
  if (!holder) return;
  throw new CommandError(
    `${keys.title} already has a key named ${name}: ${holder.id}. ` +
      `For a new value, rotate it: ${keysLine(keys, 'rotate', '--name', name)}. For another client, choose another name.`,
  );
}

/** Returns the only key of a name that is enabled or not, or that of an ID in any case. @throws CommandError without one */
export function chooseKey(owner: KeyOwner, keys: readonly Key[], { name, id }: Named, isEnabled: boolean) {
  if ((name === undefined) === (id === undefined)) {
    throw usageError('Name the key with either --name or --id.');
  }
  if (owner.builtIn.some((key) => key.name === name || key.id === id))
    throw new CommandError(
      `${owner.title} has this key from the variable ${name ?? id}. To replace it, restart the service with another value.`,
    );
  const named = keysNamed(owner, keys, { ...(name && { name }), ...(id && { id }) });
  const candidates = id === undefined ? named.filter(({ enabled }) => enabled === isEnabled) : named;
  const [only, ...others] = candidates;
  if (only && others.length === 0) return only;
  const kind = isEnabled ? 'enabled' : 'disabled';
  const [problem, shown, exitCode] = only
    ? [`${candidates.length} ${kind} keys named ${name}. Choose one by its ID:`, candidates, exitCodes.usage]
    : [`no ${kind} key named ${name}, only:`, named, exitCodes.failed];
  const lines = shown.map(
    ({ id, created_at, enabled }) =>
      `  --id ${id}   issued ${formatTime(created_at)} UTC, ${enabled ? 'enabled' : 'disabled'}`,
  );
  throw new CommandError(`${owner.title} has ${problem}\n${lines.join('\n')}`, exitCode);
}

/** Returns the keys with a name or an ID, or all when neither is given. @throws CommandError when there is none */
export function keysNamed<T extends CountedKey>(owner: KeyOwner, keys: readonly T[], { name, id }: Named) {
  const found = keys.filter((key) => (name ?? key.name) === key.name && (id ?? key.id) === key.id);
  if (found.length > 0 || (name === undefined && id === undefined)) return found;
  const wanted = [name !== undefined && `named ${name}`, id !== undefined && `with the ID ${id}`];
  throw new CommandError(
    `${owner.title} has no key ${wanted.filter(Boolean).join(' and ')}. To list its keys: ${keysLine(owner, 'list')}`,
  );
}
