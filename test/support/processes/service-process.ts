import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chainNames } from '#core/chains/chains.ts';
import { addDays, dayOf } from '#core/figures/calendar.ts';

/** The service in its own process, configured by its environment and stopped by signals. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly exit: Promise<unknown[]>;
  readonly output: () => string;
  /** Waits until the output matches and returns the match. */
  readonly says: (pattern: RegExp) => Promise<string>;
}

export const READY = /ready: (http:\/\/localhost:\d+)/;

/** An unreachable endpoint. */
export const NOBODY = 'http://127.0.0.1:1/secret-token';

/** Configures unreachable nodes for all other chains, because fewer development chains start faster. */
export const chainsBut = (given: Record<string, string>): Record<string, string> => ({
  ...Object.fromEntries(chainNames.map((name) => [`RPC_URLS_${name}`, NOBODY])),
  ...given,
});

/** Less than by default, because a test waits until it is ingested. */
const A_WEEK_AGO = addDays(dayOf(Date.now() / 1_000), -7);

const started: ChildProcess[] = [];

/** Starts services for the tests of a file and stops them after each test. */
export function endServicesAfterEach(): void {
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
  });
}

/** Creates a `DATA_DIR` for the services of a file's tests, which is removed after them. */
export function createDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chain-insights-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

export function startServiceProcess(
  environment: NodeJS.ProcessEnv,
  command = [process.execPath, 'bin/local.js'],
): ServiceProcess {
  const [file = '', ...parameters] = command;
  const child = spawn(file, parameters, {
    env: { ...process.env, PORT: '0', INGEST_START_DATE: A_WEEK_AGO, ...environment },
  });
  started.push(child);
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const says = async (pattern: RegExp) => {
    for (let waited = 0; waited < 30_000; waited += 50) {
      const match = pattern.exec(output);
      if (match) return match[1] ?? match[0];
      await sleep(50);
    }
    throw new Error(`${pattern} did not appear in the output: ${output}`);
  };
  return { child, exit: once(child, 'exit'), output: () => output, says };
}

/** Requests a chain and a range of days from an endpoint of the API. */
export async function requestService<T>(
  url: string,
  path: 'fees' | 'transaction_count' | 'days',
  query: { readonly chain: string; readonly start_date: string; readonly end_date: string },
): Promise<T> {
  const response = await fetch(`${url}/api/chain-insights/${path}?${new URLSearchParams(query)}`, {
    headers: { 'X-API-Key': KEY },
  });
  return (await response.json()) as T;
}

/** The key of `withKey`. */
const KEY = 'my-key';
export const withKey = { API_KEY: KEY };

/** Waits until yesterday is final. */
export async function waitForDay(url: string, chain: string): Promise<void> {
  const query = { chain, start_date: 'yesterday', end_date: 'yesterday' };
  for (let waited = 0; waited < 60_000; waited += 500) {
    if ((await requestService<unknown[]>(url, 'days', query)).length > 0) return;
    await sleep(500);
  }
  throw new Error(`yesterday did not become final on ${chain}`);
}
