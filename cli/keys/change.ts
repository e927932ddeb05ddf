import { CommandError } from '../exit-codes.ts';
import type { CommonOptions } from '../options.ts';
import { printResult, say } from '../print.ts';
import {
  checkNameIsFree,
  chooseKey,
  chooseTier,
  keysLine,
  type NamedOptions,
  replacementOf,
  showLimits,
} from './choose.ts';
import type { IssuedKey, Key, Keys } from './keys.ts';
import { openKeys } from './open-keys.ts';

/* The commands that change keys. */

interface IssueOptions extends CommonOptions {
  readonly name: string;
  readonly tier?: string;
}

export async function issue(options: IssueOptions): Promise<void> {
  const keys = await openKeys(options);
  const tier = chooseTier(keys, options.tier);
  checkNameIsFree(keys, await keys.list(), options.name);
  const issued = await keys.issue({ name: options.name, tier: tier.name });
  say(
    `${keys.title} has a new key for ${options.name}: ${issued.key.id}, tier ${tier.name} (${showLimits(tier)}).`,
  );
  printValue(options, issued);
  say(`What it is used for: ${keysLine(keys, 'usage', '--name', options.name)}`);
}

/** The value alone is the result, so that it can be piped to where it is kept, and what is said stands by itself. */
function printValue(options: CommonOptions, { key, value }: IssuedKey): void {
  say('Its value is printed this once. Clients send it in the header X-API-Key.');
  printResult(options, { ...key, value }, value);
}

export async function rotate(options: NamedOptions): Promise<void> {
  const keys = await openKeys(options);
  const known = await keys.list();
  const fits = (key: Key) => key.enabled && !replacementOf(key, known);
  const old = chooseKey(keys, known, options, { fits, kind: 'current' });
  const tier = tierToRotate(keys, known, old);
  const issued = await keys.issue({ name: old.name, tier, replaces: old.id });
  say(
    `${keys.title} has a second key for ${old.name}: ${issued.key.id}, tier ${tier}. ${old.id} goes on to work.`,
  );
  printValue(options, issued);
  say(`Once the client sends it, end the old one: ${keysLine(keys, 'disable', '--id', old.id)}`);
  say(`Whether the old one is still used:         ${keysLine(keys, 'usage', '--name', old.name)}`);
}

/** @throws CommandError when the key cannot be rotated */
function tierToRotate(keys: Keys, known: readonly Key[], old: Key): string {
  const replacement = replacementOf(old, known);
  const refuse = (why: string) => new CommandError(`The key ${old.id} of ${old.name} ${why}.`);
  if (replacement)
    throw refuse(`was replaced by ${replacement.id}: rotate that, if it is to have a new value`);
  if (!old.enabled) {
    throw refuse(
      `is disabled: enable it first (${keysLine(keys, 'enable', '--id', old.id)}), or issue a new one`,
    );
  }
  if (old.tier === undefined)
    throw refuse('is in no tier, and so not accepted: disable it, and issue a new one');
  return old.tier;
}

export async function setEnabled(options: NamedOptions, enabled: boolean): Promise<void> {
  const keys = await openKeys(options);
  const fits = (key: Key) => key.enabled !== enabled;
  const kind = enabled ? 'disabled' : 'enabled';
  const key = chooseKey(keys, await keys.list(), options, { fits, kind });
  await keys.setEnabled(key, enabled);
  const [done, undo] = enabled ? ['accepted again', 'disable'] : ['no longer accepted', 'enable'];
  printResult(options, { ...key, enabled }, `The key ${key.id} of ${key.name} is ${done}.`);
  say(`To undo it: ${keysLine(keys, undo, '--id', key.id)}`);
}
