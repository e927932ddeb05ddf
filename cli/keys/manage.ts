import { PutParameterCommand } from '@aws-sdk/client-ssm';
import { isTransientError } from '@smithy/core/retry';
import { addDays, countDays, dayOf, earlier, type UtcDay } from '../../core/figures/calendar.ts';
import { createParameterStore } from '../../core/rpc/endpoints-parameter.ts';
import { probeKeyParameter } from '../../lib/config.ts';
import { CommandError, usageError } from '../exit-codes.ts';
import type { CommonOptions, DayOptions } from '../options.ts';
import { formatTable, formatTime, printNote, printResult } from '../print.ts';
import type { DeployedKeys } from './deployed-keys.ts';
import {
  type CountedKey,
  checkNameIsFree,
  chooseKey,
  chooseTier,
  type DayUsage,
  type Key,
  type KeyOptions,
  type KeyRequest,
  type Keys,
  keysLine,
  keysNamed,
  showLimits,
  type UsageRange,
} from './keys.ts';

export async function issue(keys: Keys, options: KeyOptions & { readonly name: string }): Promise<void> {
  refuseProbe(keys, options.name);
  const tier = chooseTier(keys, options.tier);
  checkNameIsFree(keys, await keys.list(), options.name);
  const note = `Tier ${tier.name}: ${showLimits(tier)}.`;
  await issueAndPrint(keys, options, { name: options.name, tier: tier.name }, note);
  printNote(`To see its usage: ${keysLine(keys, 'usage', '--name', options.name)}`);
}

/** Issues a key and prints its value alone on stdout, so that it can be piped into a secret store. */
async function issueAndPrint(keys: Keys, options: CommonOptions, request: KeyRequest, note: string) {
  const { key, value } = await keys.issue(request);
  printNote(`${keys.title} issued key ${key.id} for ${request.name}.`);
  printNote(note);
  printNote('Save its value: it is not shown again. Clients send it as the X-API-Key header.');
  printResult(options, { ...key, value }, value);
}

export async function printKeys(keys: Keys, options: CommonOptions): Promise<void> {
  const issued = sorted(await keys.list());
  const all = [...issued, ...keys.builtIn];
  if (all.length > 0 || options.json) printResult(options, all, showKeys(all));
  if (issued.length > 0) return;
  const [tier] = keys.tiers;
  const first = keysLine(keys, 'issue', '--name', 'alice', ...(tier ? ['--tier', tier.name] : []));
  printNote(`${keys.title} has not issued any keys yet. To issue one: ${first}`);
}

export const sorted = (keys: readonly Key[]): readonly Key[] =>
  keys.toSorted((a, b) => a.name.localeCompare(b.name) || a.created_at.localeCompare(b.created_at));

export function showKeys(keys: readonly (CountedKey & Partial<Key>)[]): string {
  const rows = keys.map(({ name, id, tier = 'none', enabled = true, created_at }) => {
    const issued = created_at ? formatTime(created_at) : 'set by a variable';
    return [name, id, tier, enabled ? 'yes' : 'no', issued];
  });
  return formatTable(['name', 'id', 'tier', 'enabled', 'issued (UTC)'], rows);
}

export async function rotate(keys: Keys, options: KeyOptions): Promise<void> {
  const old = chooseKey(keys, await keys.list(), options, true);
  refuseProbe(keys, old.name);
  const request = { name: old.name, tier: tierToRotate(keys, old) };
  await issueAndPrint(keys, options, request, `Key ${old.id} remains valid until you disable it.`);
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

export async function setEnabled(keys: Keys, options: KeyOptions, enabled: boolean): Promise<void> {
  const known = await keys.list();
  const key = chooseKey(keys, known, options, !enabled);
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

const NAME = 'probe';

/** @throws CommandError for the name of the probe's key, of which `keys probe` disables all others */
function refuseProbe(keys: Keys, name: string): void {
  if (!keys.hasProbe || name !== NAME) return;
  throw new CommandError(
    `The name ${NAME} is reserved for the key of the probe. To issue or rotate that one: ${keysLine(keys, 'probe')}. For a client, choose another name.`,
  );
}

/** Stores a new key where the probe reads it and nobody sees it. Then disables the keys that it replaces. */
export async function issueProbeKey(keys: DeployedKeys, options: KeyOptions): Promise<void> {
  const tier = chooseTier(keys, options.tier);
  const old = (await keys.list()).filter(({ name, enabled }) => name === NAME && enabled);
  const { key, value } = await keys.issue({ name: NAME, tier: tier.name });
  const parameter = probeKeyParameter(keys.title);
  try {
    const put = { Name: parameter, Value: value, Type: 'SecureString', Overwrite: true } as const;
    await createParameterStore(keys.access).send(new PutParameterCommand(put));
  } catch (error) {
    // If only the answer was lost, the probe reads the new key from now on.
    if (isTransientError(error as Parameters<typeof isTransientError>[0]))
      printNote(
        `Key ${key.id} stays valid, because the probe may use it. Repeat the command: it disables this key too.`,
      );
    else await keys.setEnabled(key, false);
    throw error;
  }
  for (const replaced of old) await keys.setEnabled(replaced, false);
  printNote(
    `The probe reads the key within 20 minutes. To try it now, invoke the function of the output ProbeFunctionName.`,
  );
  const text = `Issued key ${key.id} for the probe, and stored it in ${parameter}.`;
  printResult(options, { ...key, parameter }, text);
}

/** The longest range that API Gateway reports at once. */
export const MAX_DAYS = 90;
const DEFAULT_DAYS = 30;

export async function usage(keys: Keys, options: KeyOptions & DayOptions): Promise<void> {
  const range = usageRange(options, dayOf(Date.now() / 1_000));
  const all = [...sorted(await keys.list()), ...keys.builtIn];
  const selected = keysNamed(keys, all, options);
  const days = await keys.usage(selected, range);
  const usages = selected.map((key) => keyUsageOf(key, days.get(key.id) ?? []));
  printResult(options, usages, showUsage(usages, range));
}

/** Returns the range to report, by default 30 days up to today. @throws CommandError when no range can be reported */
export function usageRange(options: DayOptions, today: UtcDay): UsageRange {
  const { startDate, endDate } = options;
  const last = earlier(endDate ?? today, today);
  const first = startDate ?? addDays(last, 1 - DEFAULT_DAYS);
  const days = countDays(first, last);
  if (days >= 1 && days <= MAX_DAYS) return { first, last };
  const problem = days === 0 ? `${first} is in the future` : `the range has ${days} days`;
  throw usageError(`Cannot report usage: ${problem}. Choose 1 to ${MAX_DAYS} days up to today.`);
}

export function keyUsageOf(
  { id, name, tier, enabled = true }: CountedKey & Partial<Key>,
  days: readonly DayUsage[],
) {
  const used = days.filter(({ requests }) => requests > 0);
  return {
    id,
    name,
    tier,
    enabled,
    requests: used.reduce((sum, { requests }) => sum + requests, 0),
    last_used: used.at(-1)?.date,
    /** Requests left of the month's quota at the end of the range. */
    remaining: days.at(-1)?.remaining,
    days: used,
  };
}

export function showUsage(usages: readonly ReturnType<typeof keyUsageOf>[], { first, last }: UsageRange) {
  const keys = usages.map(
    ({ name, id, tier = '', requests, last_used: used = 'not used', remaining = '' }) => {
      return [name, id, tier, requests, used, remaining];
    },
  );
  const days = usages
    .flatMap(({ name, id, days }) => days.map((day) => ({ ...day, name, id })))
    .toSorted((a, b) => a.date.localeCompare(b.date))
    .map(({ date, name, id, requests, remaining }) => [date, name, id, requests, remaining ?? '']);
  const perKey = formatTable(['name', 'id', 'tier', 'requests', 'last used', 'quota left'], keys);
  if (days.length === 0) return `${perKey}\n\nNo key was used from ${first} to ${last}.`;
  return `${perKey}\n\n${formatTable(['date', 'name', 'id', 'requests', 'quota left'], days)}`;
}
