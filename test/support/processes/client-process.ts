import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createFolder } from '#test/support/folders.ts';
import { testIf } from '#test/support/test-if.ts';

/* The examples of docs/clients.md, run as they stand there. */

export const guide = readFileSync('docs/clients.md', 'utf8');

/** Returns the command of the guide that contains a text. */
export const commandWith = (text: string): string => {
  const blocks = [...guide.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  return blocks.find((block) => block.includes(text)) ?? `echo there is no ${text} >&2; exit 9`;
};

/** A file of docs/clients, the command that runs it, and its runtime. */
interface Client {
  readonly file: string;
  readonly command: string;
  readonly runtime: string;
}

export const clients = {
  typescript: { file: 'fees.ts', command: commandWith('fees.ts'), runtime: 'node' },
  python: { file: 'fees.py', command: commandWith('fees.py'), runtime: 'python3' },
  curl: { file: 'fees.sh', command: commandWith('fees.sh'), runtime: 'curl' },
  sheets: {
    file: 'fees.gs',
    command: `node ${resolve('test/support/processes/apps-script.ts')} fees.gs CHAIN_INSIGHTS_FEES ETHEREUM 30-days-ago yesterday`,
    runtime: 'node',
  },
} as const satisfies Record<string, Client>;

/** Returns `test` when the runtime is installed, and otherwise one that skips. */
export const testWith = (runtime: string): jest.It =>
  testIf(
    ['bash', runtime].every((each) => spawnSync(each, ['--version']).status === 0),
    `bash and ${runtime}`,
  );

/** Copies the examples into a new folder, with both client libraries. packages.slow.test.ts installs their packed files. */
export function copyExamples(): string {
  const folder = createFolder();
  cpSync('docs/clients', folder, { recursive: true });
  cpSync('clients/python', folder, { recursive: true });
  const library = join(folder, 'node_modules/chain-insights-client');
  cpSync('clients/typescript', library, { recursive: true });
  execFileSync(resolve('node_modules/.bin/tsc'), ['-p', library], { stdio: 'inherit' });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

interface Asked {
  readonly folder: string;
  readonly url: string;
  readonly key: string;
}

interface Ended {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command unchanged, with the Node that runs the tests. */
export const run = (command: string, { folder, url, key }: Asked): Promise<Ended> =>
  new Promise((done) => {
    const env = {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      CHAIN_INSIGHTS_URL: url,
      CHAIN_INSIGHTS_KEY: key,
    };
    execFile('bash', ['-c', command], { cwd: folder, env }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
