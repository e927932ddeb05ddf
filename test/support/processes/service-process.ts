import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { chainNames } from '#core/chains/chains.ts';
import { addDays, dayOf } from '#core/figures/calendar.ts';

/** The service in its own process, configured by its environment and stopped by signals, at the latest when it is disposed. */
interface ServiceProcess extends Disposable {
  readonly child: ChildProcess;
  readonly exit: Promise<unknown[]>;
  readonly output: () => string;
  /** Waits until the output matches and returns the match. */
  readonly says: (pattern: RegExp) => Promise<string>;
  /** Waits until the service is ready and returns its URL. */
  readonly ready: () => Promise<string>;
}

/** An unreachable endpoint. */
export const NOBODY = 'http://127.0.0.1:1/secret-token';

/** The key of each service. */
export const API_KEY = 'my-key';

const defaults = {
  PORT: '0',
  API_KEY,
  // Less than by default, because a test waits until it is ingested.
  INGEST_START_DATE: addDays(dayOf(Date.now() / 1_000), -7),
  // Fewer development chains start faster.
  ...Object.fromEntries(chainNames.map((name) => [`RPC_URLS_${name}`, NOBODY])),
};

/** Starts a service, with unreachable nodes for the chains that its environment does not configure. */
export function startServiceProcess(
  environment: NodeJS.ProcessEnv = {},
  command = [process.execPath, 'bin/local.js'],
): ServiceProcess {
  const [file = '', ...parameters] = command;
  const child = spawn(file, parameters, { env: { ...process.env, ...defaults, ...environment } });
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const says = async (pattern: RegExp) => {
    for (let waited = 0; waited < 100_000; waited += 50) {
      const match = pattern.exec(output);
      if (match) return match[1] ?? match[0];
      await sleep(50);
    }
    throw new Error(`${pattern} did not appear in the output: ${output}`);
  };
  return {
    child,
    exit: once(child, 'exit'),
    output: () => output,
    says,
    ready: () => says(/ready: +(http:\/\/localhost:\d+)/),
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}

/** Requests a chain and a range of days from an endpoint of the API. */
export async function requestService<T>(
  url: string,
  path: 'fees' | 'transaction_count' | 'days' | 'today',
  query: { readonly chain: string; readonly start_date?: string; readonly end_date?: string },
): Promise<T> {
  const response = await fetch(`${url}/api/chain-insights/${path}?${new URLSearchParams(query)}`, {
    headers: { 'X-API-Key': API_KEY },
  });
  return (await response.json()) as T;
}

/** Waits until yesterday is final. */
export async function waitForDay(url: string, chain: string): Promise<void> {
  const query = { chain, start_date: 'yesterday', end_date: 'yesterday' };
  for (let waited = 0; waited < 60_000; waited += 500) {
    if ((await requestService<unknown[]>(url, 'days', query)).length > 0) return;
    await sleep(500);
  }
  throw new Error(`yesterday did not become final on ${chain}`);
}
