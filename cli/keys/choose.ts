import { commandLine } from '../command-line.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { CommonOptions } from '../options.ts';
import { count } from '../print.ts';
import type { CountedKey, Key, Keys, Tier } from './keys.ts';

/* Which tier and which key somebody means, and why not. */

/** How somebody names keys. */
export interface NamedOptions extends CommonOptions {
  readonly name?: string;
  readonly id?: string;
}
type Named = Pick<NamedOptions, 'name' | 'id'>;

type Service = Pick<Keys, 'title' | 'flags'>;

/** A command line to go on with. */
export const keysLine = ({ flags }: Pick<Service, 'flags'>, ...words: readonly string[]): string =>
  commandLine(flags, 'keys', ...words);

/** The key that is accepted in place of another: the newest that replaced it or, where that is disabled, what replaced that. */
export const replacementOf = (key: CountedKey, keys: readonly Key[]): Key | undefined =>
  keys
    .filter(({ replaces }) => replaces === key.id)
    .toSorted((a, b) => b.created_at.localeCompare(a.created_at))
    .map((next) => (next.enabled ? next : replacementOf(next, keys)))
    .find((next) => next !== undefined);

/**
 * The tier that is meant: the only one where none is named.
 * @throws CommandError that lists those there are
 */
export function chooseTier({ title, tiers }: Pick<Keys, 'title' | 'tiers'>, name: string | undefined): Tier {
  const [only, ...others] = tiers;
  const found = name === undefined && others.length === 0 ? only : tiers.find((tier) => tier.name === name);
  if (found) return found;
  const [wrong, exitCode] =
    name === undefined
      ? ['Say with --tier which tier is meant.', exitCodes.usage]
      : [`There is no tier ${name}.`, exitCodes.failed];
  throw new CommandError(
    `${wrong} ${title} has:\n${tiers.map((tier) => `  ${tier.name.padEnd(12)} ${showLimits(tier)}`).join('\n')}`,
    exitCode,
  );
}

/** What a tier allows each of its keys, in words. */
export const showLimits = ({ limits }: Tier): string =>
  limits
    ? `${count(limits.ratePerSecond)} requests a second, bursts of ${count(limits.burst)}, ${count(limits.requestsPerMonth)} a month`
    : 'no limits known: it is not in the file of the stage';

/** @throws CommandError when a key that is accepted has this name already */
export function checkNameIsFree(
  service: Service & Pick<Keys, 'given'>,
  keys: readonly Key[],
  name: string,
): void {
  // It would have two rows in each list of what keys were used for.
  if (service.given.some((key) => key.name === name)) {
    throw new CommandError(
      `${service.title} calls a key ${name} that it has without issuing it: choose another name.`,
    );
  }
  const holder = keys.find((key) => key.name === name && key.enabled);
  if (!holder) return;
  throw new CommandError(
    `${service.title} has a key named ${name} already, ${holder.id}. For a new value, rotate it (${keysLine(service, 'rotate', '--name', name)}); for another client, choose another name.`,
  );
}

/**
 * The one key that is meant.
 * @param fits which of those with a name may be meant
 * @param kind what those are, in words, such as `enabled`
 * @throws CommandError when there is none or, by name, more than one
 */
export function chooseKey(
  service: Service,
  keys: readonly Key[],
  { name, id }: Named,
  { fits, kind }: { readonly fits: (key: Key) => boolean; readonly kind: string },
): Key {
  if ((name === undefined) === (id === undefined)) {
    throw new CommandError('Say which key is meant, with either --name or --id.', exitCodes.usage);
  }
  const named = keysNamed(service, keys, { ...(name && { name }), ...(id && { id }) });
  const candidates = id === undefined ? named.filter(fits) : named;
  const [only, ...others] = candidates;
  if (only && others.length === 0) return only;
  const [wrong, shown, exitCode] = only
    ? [
        `${candidates.length} ${kind} keys named ${name}. Say which one is meant:`,
        candidates,
        exitCodes.usage,
      ]
    : [`no ${kind} key named ${name}, only`, named, exitCodes.failed];
  const lines = shown.map((key) => `  --id ${key.id}   ${describe(key, keys)}`);
  throw new CommandError(`${service.title} has ${wrong}\n${lines.join('\n')}`, exitCode);
}

/**
 * All keys that a name or an ID fits; all there are where none is given.
 * @throws CommandError when there is none
 */
export function keysNamed<T extends CountedKey>(
  service: Service,
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
    `${service.title} has no key ${wanted.join(' and ')}. ${keysLine(service, 'list')} shows those it has.`,
  );
}

const describe = (key: Key, keys: readonly Key[]): string => {
  const replacement = replacementOf(key, keys);
  return [
    `issued ${showTime(key.created_at)} UTC`,
    key.enabled ? 'enabled' : 'disabled',
    ...(replacement ? [`replaced by ${replacement.id}`] : []),
  ].join(', ');
};

/** A time to the minute, UTC. */
export const showTime = (time: string): string => time.slice(0, 16).replace('T', ' ');
