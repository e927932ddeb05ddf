import { Command, InvalidArgumentError, Option } from 'commander';
import { issue, rotate, setEnabled } from '../keys/change.ts';
import type { NamedOptions } from '../keys/choose.ts';
import { list, MAX_DAYS, usage } from '../keys/tell.ts';
import { dayOption, serviceCommand, withExamples } from '../options.ts';

export const keysCommand = (): Command =>
  withExamples(
    [
      issueCommand(),
      listCommand(),
      rotateCommand(),
      disableCommand(),
      enableCommand(),
      usageCommand(),
    ].reduce(
      (keys, command) => keys.addCommand(command),
      new Command('keys').description(
        "Issues, lists, rotates and ends clients' keys, and counts their requests.",
      ),
    ),
    'keys issue --name alice --tier standard',
    'keys list --stage prod',
    'keys usage --name alice',
  );

const nameOption = (description: string): Option =>
  new Option('--name <name>', description).argParser((value: string) => {
    if (/^[A-Za-z0-9][\w.@-]{0,99}$/.test(value)) return value;
    throw new InvalidArgumentError(
      'It is up to 100 letters, digits and . _ - @, the first a letter or digit.',
    );
  });

/** A command that works on the key, or the keys, that somebody names. */
const namedCommand = (name: string, description: string, whose: string): Command =>
  serviceCommand(name, description)
    .addOption(nameOption(whose))
    .option('--id <id>', 'the ID of the key, as keys list shows it');

const issueCommand = (): Command =>
  withExamples(
    serviceCommand('issue', 'Issues a key and prints its value, this once.')
      .addOption(nameOption('whose key it is to be').makeOptionMandatory())
      .option('--tier <name>', 'the tier whose limits it gets (default: the only one, where there is one)')
      .action(issue),
    'keys issue --name alice',
    'keys issue --name alice --tier free --stage prod > alice.key',
  );

const listCommand = (): Command =>
  withExamples(
    serviceCommand('list', 'Lists the keys, without their values.').action(list),
    'keys list',
    'keys list --stage prod --json',
  );

const rotateCommand = (): Command =>
  withExamples(
    namedCommand(
      'rotate',
      'Issues a second key in place of one. Both are accepted, until the old one is disabled.',
      'whose key it is',
    ).action(rotate),
    'keys rotate --name alice',
  );

const disableCommand = (): Command =>
  withExamples(
    namedCommand(
      'disable',
      'Ends a key: requests with it are answered with 403.',
      'whose key it is, where one is enabled',
    ).action((options: NamedOptions) => setEnabled(options, false)),
    'keys disable --name alice',
    'keys disable --id a1b2c3d4e5 --stage prod',
  );

const enableCommand = (): Command =>
  withExamples(
    namedCommand(
      'enable',
      'Has a key that was disabled accepted again.',
      'whose key it is, where one is disabled',
    ).action((options: NamedOptions) => setEnabled(options, true)),
    'keys enable --name alice',
  );

const usageCommand = (): Command =>
  withExamples(
    namedCommand(
      'usage',
      `Shows how many requests came with each key on each day, UTC, for up to ${MAX_DAYS} days.`,
      'only the keys of this name (default: all)',
    )
      .addOption(dayOption('--start-date <day>', 'first day (default: 30 days up to the last)'))
      .addOption(dayOption('--end-date <day>', 'last day (default: today)'))
      .action(usage),
    'keys usage',
    'keys usage --name alice --start-date 2026-11-01 --stage prod',
  );
