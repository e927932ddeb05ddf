import { PutParameterCommand } from '@aws-sdk/client-ssm';
import { createParameterStore } from '../../core/rpc/endpoints-parameter.ts';
import { probeKeyParameter } from '../../lib/stages/probe-key.ts';
import type { DeployedService } from '../deployed-service.ts';
import { CommandError } from '../exit-codes.ts';
import type { CommonOptions } from '../options.ts';
import { formatTable, formatTime, printNote, printResult } from '../print.ts';
import {
  checkNameIsFree,
  chooseKey,
  chooseTier,
  type IssuedKey,
  type Key,
  type Keys,
  keysLine,
  type NamedOptions,
  showLimits,
} from './keys.ts';

interface IssueOptions extends CommonOptions {
  readonly name: string;
  readonly tier?: string;
}

export async function issue(keys: Keys, options: IssueOptions): Promise<void> {
  const tier = chooseTier(keys, options.tier);
  checkNameIsFree(keys, await keys.list(), options.name);
  const issued = await keys.issue({ name: options.name, tier: tier.name });
  printNote(`${keys.title} issued key ${issued.key.id} for ${options.name}.`);
  printNote(`Tier ${tier.name}: ${showLimits(tier)}.`);
  printValue(options, issued);
  printNote(`To see its usage: ${keysLine(keys, 'usage', '--name', options.name)}`);
}

/** Prints the value alone on stdout, so that it can be piped into a secret store. */
function printValue(options: CommonOptions, { key, value }: IssuedKey): void {
  printNote('Save its value: it is not shown again. Clients send it as the X-API-Key header.');
  printResult(options, { ...key, value }, value);
}

export async function printKeys(keys: Keys, options: CommonOptions): Promise<void> {
  const listed = sorted(await keys.list());
  if (listed.length > 0 || options.json) printResult(options, listed, showKeys(listed));
  if (listed.length > 0) return;
  const [tier] = keys.tiers;
  const first = keysLine(keys, 'issue', '--name', 'alice', ...(tier ? ['--tier', tier.name] : []));
  printNote(`${keys.title} has not issued any keys yet. To issue one: ${first}`);
}

/** Sorts keys by name and age. */
export const sorted = (keys: readonly Key[]): readonly Key[] =>
  keys.toSorted((a, b) => a.name.localeCompare(b.name) || a.created_at.localeCompare(b.created_at));

export function showKeys(keys: readonly Key[]): string {
  const rows = keys.map((key) => [
    key.name,
    key.id,
    key.tier ?? 'none',
    key.enabled ? 'yes' : 'no',
    formatTime(key.created_at),
  ]);
  return formatTable(['name', 'id', 'tier', 'enabled', 'issued (UTC)'], rows);
}

export async function rotate(keys: Keys, options: NamedOptions): Promise<void> {
  const known = await keys.list();
  const old = chooseKey(keys, known, options, { fits: ({ enabled }) => enabled, kind: 'enabled' });
  const tier = tierToRotate(keys, old);
  const issued = await keys.issue({ name: old.name, tier });
  printNote(`${keys.title} issued key ${issued.key.id} for ${old.name}.`);
  printNote(`Key ${old.id} remains valid until you disable it.`);
  printValue(options, issued);
  printNote(`To see whether the old key is still used:\n  ${keysLine(keys, 'usage', '--name', old.name)}`);
  printNote(`To disable it, once clients use the new key:\n  ${keysLine(keys, 'disable', '--id', old.id)}`);
}

/** @throws CommandError when the key cannot be rotated */
function tierToRotate(keys: Keys, old: Key): string {
  const refuse = (why: string) => new CommandError(`Key ${old.id} of ${old.name} cannot be rotated: ${why}.`);
  if (!old.enabled) {
    const enable = keysLine(keys, 'enable', '--id', old.id);
    throw refuse(`it is disabled. Enable it (${enable}), or issue a new key`);
  }
  if (old.tier === undefined)
    throw refuse('it belongs to no tier, so it is not valid. Disable it, and issue a new key');
  return old.tier;
}

export async function setEnabled(keys: Keys, options: NamedOptions, enabled: boolean): Promise<void> {
  const known = await keys.list();
  const fits = (key: Key) => key.enabled !== enabled;
  const kind = enabled ? 'disabled' : 'enabled';
  const key = chooseKey(keys, known, options, { fits, kind });
  await keys.setEnabled(key, enabled);
  const state = enabled ? 'valid again' : 'disabled';
  const text = [`Key ${key.id} of ${key.name} is ${state}.`, othersOf(key, known, enabled)];
  printResult(options, { ...key, enabled }, text.join(' '));
  printNote(`To undo this: ${keysLine(keys, enabled ? 'disable' : 'enable', '--id', key.id)}`);
}

/** States which other keys of the same name are valid, so that nobody locks a client out unawares. */
function othersOf({ id, name }: Key, known: readonly Key[], enabled: boolean): string {
  const others = known.filter((key) => key.name === name && key.id !== id && key.enabled);
  if (others.length === 0) return `No other key of ${name} is valid.`;
  const ids = others.map((other) => other.id).join(', ');
  const [noun, verb, also] = others.length === 1 ? ['Key', 'remains', 'is'] : ['Keys', 'remain', 'are'];
  return enabled ? `${noun} ${ids} ${also} also valid.` : `${noun} ${ids} ${verb} valid.`;
}

export interface ProbeOptions extends CommonOptions {
  readonly tier?: string;
}

const NAME = 'probe';

/**
 * Issues the key of the probe, and stores it where the probe reads it: nobody sees it. Then disables the keys that it replaces. Run again
 * to rotate the key.
 */
export async function issueProbeKey(
  keys: Keys,
  { stackName, access }: Pick<DeployedService, 'stackName' | 'access'>,
  options: ProbeOptions,
): Promise<void> {
  const tier = chooseTier(keys, options.tier);
  const old = (await keys.list()).filter(({ name, enabled }) => name === NAME && enabled);
  const { key, value } = await keys.issue({ name: NAME, tier: tier.name });
  const parameter = probeKeyParameter(stackName);
  try {
    const put = { Name: parameter, Value: value, Type: 'SecureString', Overwrite: true } as const;
    await createParameterStore(access).send(new PutParameterCommand(put));
  } catch (error) {
    await keys.setEnabled(key, false);
    throw error;
  }
  for (const replaced of old) await keys.setEnabled(replaced, false);
  printNote(
    `The probe reads the key within 20 minutes. To try it now, invoke the function of the output ProbeFunctionName.`,
  );
  printResult(
    options,
    { ...key, parameter },
    `Issued key ${key.id} for the probe, and stored it in ${parameter}.`,
  );
}
