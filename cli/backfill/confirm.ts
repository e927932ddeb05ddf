import { createInterface } from 'node:readline/promises';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { interrupted } from '../interrupt.ts';

/**
 * Asks on the terminal whether to go on.
 * @throws CommandError when the answer is anything but yes
 */
export async function confirm(question: string): Promise<void> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const given = new AbortController();
  // A terminal that is being read gives Ctrl-C and Ctrl-D to the reader.
  lines.once('SIGINT', () => given.abort()).once('close', () => given.abort());
  const signal = AbortSignal.any([given.signal, interrupted]);
  const answer = await lines.question(`${question} [y/N] `, { signal }).catch(() => '');
  lines.close();
  if (/^y(es)?$/i.test(answer.trim())) return;
  throw new CommandError('Nothing was started.', exitCodes.interrupted);
}
