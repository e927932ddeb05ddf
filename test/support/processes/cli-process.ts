import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The output and the exit code of a command. */
export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type OnOutput = (output: string, interrupt: () => void) => void;

/**
 * Runs a command of the CLI in this process, which takes a tenth of the time, or in its own if its output is watched. Only the latter may
 * run at the same time as another one.
 * @param environment PORT selects the service on this machine
 * @param onOutput called with the output so far and a function that interrupts the command once
 */
export async function runCli(
  parameters: readonly string[],
  environment: NodeJS.ProcessEnv,
  onOutput?: OnOutput,
): Promise<CliResult> {
  // Threads do not see a replaced environment.
  return onOutput || parameters.includes('--local')
    ? runCliProcess(parameters, environment, onOutput)
    : runHere(parameters, environment);
}

async function runHere(parameters: readonly string[], environment: NodeJS.ProcessEnv): Promise<CliResult> {
  const { main } = await import('#cli/main.ts');
  const texts = { stdout: '', stderr: '' };
  const capture = (name: 'stdout' | 'stderr') =>
    jest.spyOn(process[name], 'write').mockImplementation((chunk, ...others) => {
      texts[name] += chunk;
      for (const done of others) if (typeof done === 'function') done();
      return true;
    });
  const replaced = [
    jest.replaceProperty(process, 'argv', ['node', 'cli.js', ...parameters]),
    jest.replaceProperty(process, 'env', { ...process.env, NO_COLOR: '1', ...environment }),
  ];
  const captured = [capture('stdout'), capture('stderr')];
  process.stdin.isTTY = false;
  process.exitCode = undefined;
  try {
    await main();
    return { code: Number(process.exitCode ?? 0), ...texts };
  } finally {
    process.exitCode = undefined;
    for (const property of replaced) property.restore();
    for (const stream of captured) stream.mockRestore();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeAllListeners(signal);
    process.stdout.removeAllListeners('error');
  }
}

/** Runs a command in its own process. */
async function runCliProcess(
  parameters: readonly string[],
  environment: NodeJS.ProcessEnv,
  onOutput: OnOutput = () => {},
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
