import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The output and the exit code of a command. */
export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command of the CLI in its own process.
 * @param environment PORT selects the service on this machine
 * @param onOutput called with the output so far and a function that interrupts the command once
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
