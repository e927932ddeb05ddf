import { Command, CommanderError } from 'commander';
import { SOFTWARE_VERSION } from '../lambda/software-version.ts';
import { UnknownItemError } from '../lambda/store/stored-days.ts';
import { TableUnavailableError } from '../lambda/store/table.ts';
import { awsAdvice } from './aws-errors.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { endOnInterrupt } from './interrupt.ts';
import { printNote } from './print.ts';

/** The commands by their names. Each is loaded when it is asked for: to load all of them takes half as long again. */
export const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['coverage', async () => (await import('./commands/coverage.ts')).coverageCommand()],
  ['verify', async () => (await import('./commands/verify.ts')).verifyCommand()],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctorCommand()],
  ['ingest', async () => (await import('./commands/ingest.ts')).ingestCommand()],
  ['restate', async () => (await import('./commands/restate.ts')).restateCommand()],
  ['backfill', async () => (await import('./commands/backfill.ts')).backfillCommand()],
  ['export', async () => (await import('./commands/export.ts')).exportCommand()],
  ['import', async () => (await import('./commands/import.ts')).importCommand()],
  ['keys', async () => (await import('./commands/keys.ts')).keysCommand()],
]);

/** Runs the command that this process was started with. */
export async function main(): Promise<void> {
  endOnInterrupt();
  process.stdout.on('error', endWithoutOutput);
  try {
    const program = await createProgram(process.argv[2]);
    await program.parseAsync();
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
}

/**
 * A program of which parsing throws CommanderError instead of ending the process.
 * @param asked the only command that it is to have; all of them when it is none
 */
export async function createProgram(asked = ''): Promise<Command> {
  const program = new Command('chain-insights')
    .description('Looks after a Chain Insights service: on this machine, or deployed with --stage.')
    .version(SOFTWARE_VERSION)
    .showHelpAfterError('(--help tells more)')
    .exitOverride();
  const one = commands.get(asked);
  for (const load of one ? [one] : commands.values()) {
    const command = await load();
    program.addCommand(command);
    inheritSettings(command, program);
  }
  return program;
}

/** Whoever reads may stop at any time, as `head` does: that is no error, and nothing is left to be said. */
function endWithoutOutput({ code, message }: NodeJS.ErrnoException): never {
  if (code === 'EPIPE') process.exit();
  printNote(`The output cannot be written: ${message}.`);
  process.exit(exitCodes.failed);
}

/** Commander hands settings down only to the commands that it makes itself. */
function inheritSettings(command: Command, parent: Command): void {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inheritSettings(child, command);
}

/** Says what was wrong, where nobody has yet. */
function exitCodeOf(error: unknown): number {
  // Commander has said it, or shown the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (error instanceof CommandError) {
    printNote(error.message);
    return error.exitCode;
  }
  // These say all that there is to say.
  if (error instanceof TableUnavailableError || error instanceof UnknownItemError) {
    printNote(error.message);
    return exitCodes.failed;
  }
  const advice = awsAdvice(error) ?? String(error instanceof Error ? (error.stack ?? error) : error);
  printNote(advice);
  return exitCodes.failed;
}
