import { type Command, InvalidArgumentError, Option } from 'commander';
import { usageError } from '../exit-codes.ts';
import { findDeployedKeys } from '../keys/deployed-keys.ts';
import type { KeyOptions, Keys } from '../keys/keys.ts';
import { findLocalKeys } from '../keys/local-keys.ts';
import { issue, issueProbeKey, MAX_DAYS, printKeys, rotate, setEnabled, usage } from '../keys/manage.ts';
import { type CommonOptions, createCommand, dayOption, serviceCommand } from '../options.ts';

export const keysCommand = (): Command =>
  createCommand('keys', "Manages clients' API keys and shows their requests.", [
    'keys issue --name alice --tier standard',
    'keys list --stage prod',
    'keys usage --name alice',
  ])
    .addCommand(issueCommand())
    .addCommand(listCommand())
    .addCommand(rotateCommand())
    .addCommand(disableCommand())
    .addCommand(enableCommand())
    .addCommand(usageCommand())
    .addCommand(probeCommand());

/** Finds the keys of the service that the options name, and runs an action on them. */
const withKeys =
  <Options extends CommonOptions>(action: (keys: Keys, options: Options) => Promise<void>) =>
  async (options: Options): Promise<void> => {
    const { stage } = options;
    await action(await (stage === undefined ? findLocalKeys() : findDeployedKeys(stage)), options);
  };

const nameOption = (description: string): Option =>
  new Option('--name <name>', description).argParser((value: string) => {
    if (/^[A-Za-z0-9][\w.@-]{0,99}$/.test(value)) return value;
    throw new InvalidArgumentError(
      'A name has up to 100 letters, digits and . _ - @, and starts with a letter or digit.',
    );
  });

/** Creates a command that selects keys by name or ID. */
const namedCommand = (
  name: string,
  description: string,
  examples: readonly string[],
  nameDescription: string,
): Command =>
  serviceCommand(name, description, examples)
    .addOption(nameOption(nameDescription))
    .option('--id <id>', 'the ID of the key, as shown by keys list');

const issueCommand = (): Command =>
  serviceCommand('issue', 'Issues a key and prints its value, once.', [
    'keys issue --name alice',
    'keys issue --name alice --stage prod > alice.key',
  ])
    .addOption(nameOption('the client that gets the key').makeOptionMandatory())
    .option('--tier <name>', 'the tier that limits the key (default: the only tier, if there is one)')
    .action(withKeys(issue));

const listCommand = (): Command =>
  serviceCommand('list', 'Lists the keys, without their values.', [
    'keys list',
    'keys list --stage prod --json',
  ]).action(withKeys(printKeys));

const rotateCommand = (): Command =>
  namedCommand(
    'rotate',
    'Issues a second key for a client. The old key remains valid until you disable it.',
    ['keys rotate --name alice'],
    'the client whose key to rotate',
  ).action(withKeys(rotate));

const disableCommand = (): Command =>
  namedCommand(
    'disable',
    'Disables a key. The API then answers its requests with 403.',
    ['keys disable --name alice', 'keys disable --id a1b2c3d4e5 --stage prod'],
    'the client whose only enabled key to disable',
  )
    .alias('revoke')
    .action(withKeys((keys, options: KeyOptions) => setEnabled(keys, options, false)));

const enableCommand = (): Command =>
  namedCommand(
    'enable',
    'Enables a disabled key.',
    ['keys enable --name alice'],
    'the client whose only disabled key to enable',
  ).action(withKeys((keys, options: KeyOptions) => setEnabled(keys, options, true)));

const probeCommand = (): Command =>
  serviceCommand(
    'probe',
    'Issues a key for the probe of a deployed stage, and stores it where the probe reads it.',
    ['keys probe --stage prod --tier standard'],
    '',
  )
    .option('--tier <name>', 'the tier that limits the key (default: the only tier, if there is one)')
    .action(probe);

async function probe(options: KeyOptions): Promise<void> {
  const { stage } = options;
  if (stage === undefined)
    throw usageError('Name the stage with --stage: the service on this machine has no probe.');
  await issueProbeKey(await findDeployedKeys(stage), options);
}

const usageCommand = (): Command =>
  namedCommand(
    'usage',
    `Shows the requests of each key per UTC day, for up to ${MAX_DAYS} days.`,
    ['keys usage', 'keys usage --name alice --start-date 60-days-ago --stage prod'],
    'only the keys of this client (default: all keys)',
  )
    .addOption(dayOption('--start-date <day>', 'first day (default: 30 days up to the last)'))
    .addOption(dayOption('--end-date <day>', 'last day (default: today)'))
    .action(withKeys(usage));
