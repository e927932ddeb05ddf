import { Command, CommanderError } from 'commander';
import { SOFTWARE_VERSION } from '../lambda/software-version.ts';
import { UnknownItemError } from '../lambda/store/stored-days.ts';
import { TableUnavailableError } from '../lambda/store/table.ts';
import { awsAdvice } from './aws-errors.ts';
import { backfillCommand } from './commands/backfill.ts';
import { coverageCommand } from './commands/coverage.ts';
import { doctorCommand } from './commands/doctor.ts';
import { exportCommand } from './commands/export.ts';
import { importCommand } from './commands/import.ts';
import { ingestCommand } from './commands/ingest.ts';
import { keysCommand } from './commands/keys.ts';
import { restateCommand } from './commands/restate.ts';
import { verifyCommand } from './commands/verify.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { endOnInterrupt } from './interrupt.ts';
import { say } from './print.ts';

/** Runs the command that this process was started with. */
export async function main(): Promise<void> {
  endOnInterrupt();
  process.stdout.on('error', endWithoutOutput);
  try {
    await createProgram().parseAsync();
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
}

/** All commands, of which parsing throws CommanderError instead of ending the process. */
export function createProgram(): Command {
  const program = new Command('chain-insights')
    .description('Looks after a Chain Insights service: on this machine, or deployed with --stage.')
    .version(SOFTWARE_VERSION)
    .showHelpAfterError('(--help tells more)')
    .exitOverride();
  for (const command of [
    coverageCommand(),
    verifyCommand(),
    doctorCommand(),
    ingestCommand(),
    restateCommand(),
    backfillCommand(),
    exportCommand(),
    importCommand(),
    keysCommand(),
  ]) {
    program.addCommand(command);
    inheritSettings(command, program);
  }
  return program;
}

/** Whoever reads may stop at any time, as `head` does: that is no error, and nothing is left to be said. */
function endWithoutOutput({ code, message }: NodeJS.ErrnoException): never {
  if (code === 'EPIPE') process.exit();
  say(`The output cannot be written: ${message}.`);
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
    say(error.message);
    return error.exitCode;
  }
  // These say all that there is to say.
  if (error instanceof TableUnavailableError || error instanceof UnknownItemError) {
    say(error.message);
    return exitCodes.failed;
  }
  const advice = awsAdvice(error) ?? String(error instanceof Error ? (error.stack ?? error) : error);
  say(advice);
  return exitCodes.failed;
}
