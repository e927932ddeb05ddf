import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** What a command printed, and how it ended. */
export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs one of the operator's commands as a user does: in a process of its own.
 * @param environment PORT says which service on this machine is meant
 * @param onOutput is given what it has printed so far, and what to stop it by, once
 */
export async function runCli(
  parameters: readonly string[],
  environment: NodeJS.ProcessEnv,
  onOutput: (output: string, interrupt: () => void) => void = () => {},
): Promise<CliResult> {
  const env = { ...process.env, NO_COLOR: '1', ...environment };
  const child = spawn(process.execPath, ['bin/cli.js', ...parameters], { env });
  let isInterrupted = false;
  const interrupt = () => {
    if (!isInterrupted) child.kill('SIGINT');
    isInterrupted = true;
  };
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk;
      onOutput(texts.stdout + texts.stderr, interrupt);
    });
  }
  const [code] = await once(child, 'close');
  return { code, ...texts };
}
