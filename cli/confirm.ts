import { createInterface } from 'node:readline/promises';
import { CommandError, exitCodes, usageError } from './exit-codes.ts';
import { interrupted } from './interrupt.ts';

/**
 * Asks the user on the terminal, unless `--yes` answers.
 * @param undone the state after a no, such as `Nothing was started.`
 * @throws CommandError unless the user confirms
 */
export async function confirm(
  question: string,
  undone: string,
  { yes }: { readonly yes: boolean },
): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY)
    throw usageError(`${undone.replace(/\.$/, '')}: without a terminal, confirm with --yes.`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new AbortController();
  // While reading, readline receives Ctrl-C and Ctrl-D.
  lines.once('SIGINT', () => ended.abort()).once('close', () => ended.abort());
  const signal = AbortSignal.any([ended.signal, interrupted]);
  const reply = await lines.question(`${question} [y/N] `, { signal }).catch(() => '');
  lines.close();
  if (!/^y(es)?$/i.test(reply.trim())) throw new CommandError(undone, exitCodes.interrupted);
}
