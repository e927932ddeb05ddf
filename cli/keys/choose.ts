import { CommandError, exitCodes, usageError } from '../exit-codes.ts';
import type { CommonOptions } from '../options.ts';
import { commandLine, formatCount, formatTime } from '../print.ts';
import type { CountedKey, Key, Keys, Tier } from './keys.ts';

/** Options that name keys. */
export interface NamedOptions extends CommonOptions {
  readonly name?: string;
  readonly id?: string;
}
type Named = Pick<NamedOptions, 'name' | 'id'>;

type KeyOwner = Pick<Keys, 'title' | 'flags'>;

/** Returns a `keys` command line for the same service. */
export const keysLine = ({ flags }: Pick<Keys, 'flags'>, ...words: readonly string[]): string =>
  commandLine(flags, 'keys', ...words);

/** Returns the valid key that replaces another: the newest direct replacement or, where that is disabled, its replacement. */
export const replacementOf = (key: CountedKey, keys: readonly Key[]): Key | undefined =>
  keys
    .filter(({ replaces }) => replaces === key.id)
    .toSorted((a, b) => b.created_at.localeCompare(a.created_at))
    .map((next) => (next.enabled ? next : replacementOf(next, keys)))
    .find((next) => next !== undefined);

/**
 * Returns the named tier, or the only one when no name is given.
 * @throws CommandError that lists the tiers
 */
export function chooseTier({ title, tiers }: Pick<Keys, 'title' | 'tiers'>, name: string | undefined): Tier {
  const [only, ...others] = tiers;
  const found = name === undefined && others.length === 0 ? only : tiers.find((tier) => tier.name === name);
  if (found) return found;
  const [problem, exitCode] =
    name === undefined
      ? ['Choose a tier with --tier.', exitCodes.usage]
      : [`There is no tier ${name}.`, exitCodes.failed];
  const lines = tiers.map((tier) => `  ${tier.name.padEnd(12)} ${showLimits(tier)}`);
  throw new CommandError(`${problem} ${title} has:\n${lines.join('\n')}`, exitCode);
}

/** Describes what a tier allows each of its keys. */
export const showLimits = ({ limits }: Tier): string =>
  limits
    ? `${formatCount(limits.ratePerSecond)} requests/s, bursts of ${formatCount(limits.burst)}, ${formatCount(limits.requestsPerMonth)} requests/month`
    : 'limits unknown: the stage does not define this tier';

/** @throws CommandError when a valid key already has this name */
export function checkNameIsFree(
  keys: KeyOwner & Pick<Keys, 'builtIn'>,
  known: readonly Key[],
  name: string,
): void {
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

/**
 * Returns the one key that a name or an ID selects.
 * @param fits filters the keys of a name; an ID selects its key in any case
 * @param kind the filter in words, such as `enabled`
 * @throws CommandError when no key, or more than one, is selected
 */
export function chooseKey(
  owner: KeyOwner,
  keys: readonly Key[],
  { name, id }: Named,
  { fits, kind }: { readonly fits: (key: Key) => boolean; readonly kind: string },
): Key {
  if ((name === undefined) === (id === undefined)) {
    throw usageError('Name the key with either --name or --id.');
  }
  const named = keysNamed(owner, keys, { ...(name && { name }), ...(id && { id }) });
  const candidates = id === undefined ? named.filter(fits) : named;
  const [only, ...others] = candidates;
  if (only && others.length === 0) return only;
  const [problem, shown, exitCode] = only
    ? [`${candidates.length} ${kind} keys named ${name}. Choose one by its ID:`, candidates, exitCodes.usage]
    : [`no ${kind} key named ${name}, only:`, named, exitCodes.failed];
  const lines = shown.map((key) => `  --id ${key.id}   ${describe(key, keys)}`);
  throw new CommandError(`${owner.title} has ${problem}\n${lines.join('\n')}`, exitCode);
}

/**
 * Returns all keys with a name or an ID, or all keys when neither is given.
 * @throws CommandError when there is none
 */
export function keysNamed<T extends CountedKey>(
  owner: KeyOwner,
  keys: readonly T[],
  { name, id }: Named,
): T[] {
  const found = keys.filter((key) => (name ?? key.name) === key.name && (id ?? key.id) === key.id);
  if (found.length > 0 || (name === undefined && id === undefined)) return found;
  const wanted = [
    ...(name === undefined ? [] : [`named ${name}`]),
    ...(id === undefined ? [] : [`with the ID ${id}`]),
  ];
  throw new CommandError(
    `${owner.title} has no key ${wanted.join(' and ')}. To list its keys: ${keysLine(owner, 'list')}`,
  );
}

const describe = (key: Key, keys: readonly Key[]): string => {
  const replacement = replacementOf(key, keys);
  return [
    `issued ${formatTime(key.created_at)} UTC`,
    key.enabled ? 'enabled' : 'disabled',
    ...(replacement ? [`replaced by ${replacement.id}`] : []),
  ].join(', ');
};
