#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { awsAdvice } from '../cli/aws-errors.ts';
import { coverageCommand } from '../cli/commands/coverage.ts';
import { CommandError, exitCodes } from '../cli/exit-codes.ts';
import { endOnInterrupt } from '../cli/interrupt.ts';
import { say } from '../cli/print.ts';

/* npx chain-insights: the operator's commands. docs/operations.md shows each at work. */

const program = new Command('chain-insights')
  .description('Looks after a Chain Insights service: on this machine, or deployed with --stage.')
  .showHelpAfterError('(--help tells more)')
  .exitOverride();

for (const command of [coverageCommand()]) {
  program.addCommand(command.copyInheritedSettings(program));
}

endOnInterrupt();
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** Says what was wrong, where nobody has yet. */
function exitCodeOf(error: unknown): number {
  // Commander has said it, or shown the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (error instanceof CommandError) {
    say(error.message);
    return error.exitCode;
  }
  const advice = awsAdvice(error) ?? String(error instanceof Error ? (error.stack ?? error) : error);
  say(advice);
  return exitCodes.failed;
}
