import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { limited, median, type Ratio } from './report.ts';

const RUNS = 3;

/** Measures the time until `npm start` is ready, with development chains for all chains. */
export async function startUpBench(): Promise<Ratio[]> {
  const first: number[] = [];
  const later: number[] = [];
  for (let run = 1; run <= RUNS; run++) {
    console.error(`start-up: npm start with an empty DATA_DIR, then with the same one, ${run} of ${RUNS}`);
    using dataDir = mkdtempDisposableSync(join(tmpdir(), 'chain-insights-'));
    first.push(await secondsToReady(dataDir.path));
    later.push(await secondsToReady(dataDir.path));
  }
  const format = (seconds: number) => `${seconds.toFixed(2)} s`;
  return [
    limited('npm start with an empty DATA_DIR; baseline: limit', median(first), 15, format),
    limited('npm start with the DATA_DIR of an earlier run; baseline: limit', median(later), 5, format),
  ];
}

async function secondsToReady(dataDir: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn('npm', ['start'], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Unlike exit, close waits for the service behind npm, which has the table open.
  const closed = once(child, 'close');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.startsWith('ready:')) return (performance.now() - startedAt) / 1_000;
    }
    throw new Error('npm start ended before it was ready; its output is above.');
  } finally {
    child.kill();
    child.stdout.resume();
    await closed;
  }
}
