import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { dirname, join } from 'node:path';

/** Lines of a failed command that its error quotes. */
const QUOTED_LINES = 30;

/** A folder and environment in which commands run. */
export interface Place {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** File to which the output of all commands is appended. */
  readonly logFile: string;
}

interface Output {
  readonly code: number;
  readonly stdout: string;
}

/**
 * Runs a command.
 * @param codes exit codes that are expected
 * @throws Error with the end of its output for any other exit code
 */
export async function runProcess(
  { folder, environment, logFile }: Place,
  [file = '', ...parameters]: readonly string[],
  codes: readonly number[] = [0],
): Promise<Output> {
  const log = createWriteStream(logFile, { flags: 'a' });
  log.write(`\n$ ${[file, ...parameters].join(' ')}\n`);
  const child = spawn(file, parameters, {
    cwd: folder,
    env: { ...process.env, ...withThisNode(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, all] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      all += chunk;
      log.write(chunk);
    });
  }
  const [code] = await once(child, 'close');
  log.end();
  if (codes.includes(code)) return { code, stdout };
  const end = all.trimEnd().split('\n').slice(-QUOTED_LINES).join('\n');
  throw new Error(
    `${file} ${parameters.join(' ')} ended with exit code ${code}:\n${end}\nThe whole output is in ${logFile}.`,
  );
}

/** `cdk.json` starts the app with the `node` of the PATH, which may be too old. */
const withThisNode = (): NodeJS.ProcessEnv => ({
  NO_COLOR: '1',
  PATH: [dirname(process.execPath), process.env.PATH].join(process.platform === 'win32' ? ';' : ':'),
});

/** Returns the words that start npm with this Node. */
export const npm = (...words: readonly string[]): readonly string[] => [
  process.execPath,
  process.env.npm_execpath ?? join(dirname(process.execPath), 'npm'),
  ...words,
];
