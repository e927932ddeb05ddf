import { Command, CommanderError, Help, type Option } from 'commander';
import { allowSlowConnects } from '../core/rpc/connect-attempts.ts';
import { SOFTWARE_VERSION } from '../core/software-version.ts';
import { OldTableError } from '../core/store/chain/coverage.ts';
import { UnknownItemError } from '../core/store/days/day-item.ts';
import { TableUnavailableError } from '../core/store/table/client.ts';
import { InvalidItemError } from '../core/store/table/decode-item.ts';
import { CommandError, endOnInterrupt, exitCodes, explainAwsError, usageError } from './exit-codes.ts';
import { printNote } from './print.ts';

/** Loaders of the commands, by name. Loading only the one that runs starts a third faster than loading all. */
export const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['status', async () => (await import('./commands/status.ts')).statusCommand()],
  ['verify', async () => (await import('./commands/verify.ts')).verifyCommand()],
  ['compare', async () => (await import('./commands/compare.ts')).compareCommand()],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctorCommand()],
  ['ingest', async () => (await import('./commands/ingest.ts')).ingestCommand()],
  ['restate', async () => (await import('./commands/restate.ts')).restateCommand()],
  ['backfill', async () => (await import('./commands/backfill.ts')).backfillCommand()],
  ['export', async () => (await import('./commands/export.ts')).exportCommand()],
  ['import', async () => (await import('./commands/import.ts')).importCommand()],
  ['history', async () => (await import('./commands/history.ts')).historyCommand()],
  ['keys', async () => (await import('./commands/keys.ts')).keysCommand()],
  ['completion', async () => (await import('./commands/completion.ts')).completionCommand(createProgram)],
  ['mcp', async () => (await import('./commands/mcp.ts')).mcpCommand()],
]);

/** Old names of commands, with what replaces them. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['coverage', 'status'],
  ['settle', 'restate --settle'],
  ['restore', 'import'],
]);

export async function main(): Promise<void> {
  allowSlowConnects();
  endOnInterrupt();
  process.stdout.on('error', endWithoutOutput);
  try {
    const args = withoutTrace(process.argv.slice(2));
    refuseOldName(args);
    const program = await createProgram(args[0]);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
}

const OPTIONS_OF_NPX = `
npx takes --help and --version right after the name for itself. This works:
  npx --no -- chain-insights --help
`;

/** Creates a program whose parser throws CommanderError. @param name loads this command alone; all if it is unknown */
export async function createProgram(name = ''): Promise<Command> {
  const program = new Command('chain-insights')
    .description(
      'Operates a Chain Insights service: the one on this machine, or a deployed one with --stage.',
    )
    .version(SOFTWARE_VERSION)
    .option('--trace', 'with any command: print each request to a node and each commit to stderr')
    .showHelpAfterError('To see the commands: npx --no chain-insights help')
    .configureHelp({ optionDescription: describeOption })
    .addHelpText('after', OPTIONS_OF_NPX)
    .exitOverride();
  const one = commands.get(name);
  for (const load of one ? [one] : commands.values()) {
    const command = await load();
    program.addCommand(command);
    inheritSettings(command, program);
  }
  // As a word, because npx takes the option.
  program
    .command('version')
    .description('Prints the version.')
    .action(() => {
      process.stdout.write(`${SOFTWARE_VERSION}\n`);
    });
  return program;
}

/** Takes `--trace` from the parameters, wherever it stands. */
function withoutTrace(args: readonly string[]): string[] {
  if (args.includes('--trace')) process.env.TRACE = '1';
  return args.filter((arg) => arg !== '--trace');
}

/** @throws CommandError that has the command line to type instead */
function refuseOldName([name = '', ...parameters]: readonly string[]): void {
  const replacement = RENAMED.get(name);
  if (replacement === undefined) return;
  const line = ['npx --no chain-insights', replacement, ...parameters].join(' ');
  throw usageError(`${name} is now ${replacement}. Type:\n  ${line}`);
}

/** Ends the process when stdout fails. A reader such as `head` may close a pipe early, which is not an error. */
function endWithoutOutput({ code, message }: NodeJS.ErrnoException): never {
  if (code === 'EPIPE') process.exit();
  printNote(`Writing to stdout failed: ${message}.`);
  process.exit(exitCodes.failed);
}

/** Marks required options, and leaves out that a flag is not set by default. */
function describeOption(option: Option): string {
  if (option.defaultValue === false) return option.description;
  return `${new Help().optionDescription(option)}${option.mandatory ? ' (required)' : ''}`;
}

/** Reports all required options that are missing; commander reports the first one. */
function reportMissingOptions(this: Command): never {
  const missing = this.options.filter(
    (option) => option.mandatory && this.getOptionValue(option.attributeName()) === undefined,
  );
  const flags = missing.map(({ flags }) => `'${flags}'`).join(', ');
  const message = `error: required ${missing.length === 1 ? 'option' : 'options'} ${flags} not specified`;
  return this.error(message, { code: 'commander.missingMandatoryOptionValue' });
}

/** Copies settings to subcommands: commander does so only for those that it creates. */
function inheritSettings(command: Command, parent: Command): void {
  command.copyInheritedSettings(parent);
  Object.assign(command, { missingMandatoryOptionValue: reportMissingOptions });
  const names = [...(parent.parent ? [parent.name()] : []), 'help', command.name()];
  command.showHelpAfterError(`To see its usage: npx --no chain-insights ${names.join(' ')}`);
  for (const child of command.commands) inheritSettings(child, command);
}

/** Errors to which a stack trace would add nothing. */
const SELF_EXPLAINING = [
  CommandError,
  TableUnavailableError,
  OldTableError,
  UnknownItemError,
  InvalidItemError,
];

/** Prints an error, unless commander has, and returns its exit code. */
function exitCodeOf(error: unknown): number {
  // Commander has printed the error, or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  const { message, stack } = error instanceof Error ? error : { message: String(error) };
  const isPlain = SELF_EXPLAINING.some((kind) => error instanceof kind);
  printNote(isPlain ? message : (explainAwsError(error) ?? stack ?? message));
  return error instanceof CommandError ? error.exitCode : exitCodes.failed;
}
