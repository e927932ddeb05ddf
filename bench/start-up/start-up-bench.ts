import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { READY, startServiceProcess } from '../../test/support/service-process.ts';
import { median, type Ratio } from '../ratio.ts';

const RUNS = 3;

/** How long `npm start` takes until it says that it is ready, with the development chains of all chains. */
export async function startUpBench(): Promise<Ratio[]> {
  const first: number[] = [];
  const later: number[] = [];
  for (let run = 1; run <= RUNS; run++) {
    console.error(`start-up: npm start on an empty DATA_DIR, and again on the same one, ${run} of ${RUNS}`);
    const dataDir = mkdtempSync(join(tmpdir(), 'chain-insights-'));
    try {
      first.push(await secondsToReady(dataDir));
      later.push(await secondsToReady(dataDir));
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  }
  return [
    row('npm start, with nothing there yet', first, 15),
    row('npm start, with DATA_DIR of an earlier run', later, 5),
  ];
}

async function secondsToReady(dataDir: string): Promise<number> {
  const start = performance.now();
  const service = startServiceProcess({ DATA_DIR: dataDir }, ['npm', 'start']);
  // Unlike the exit of npm, this waits for all that has its output: the service, which has the table open, is gone then.
  const closed = once(service.child, 'close');
  try {
    await service.says(READY);
    return (performance.now() - start) / 1_000;
  } finally {
    service.child.kill();
    await closed;
  }
}

function row(what: string, seconds: readonly number[], limit: number): Ratio {
  const ours = median(seconds);
  return {
    what,
    ours: `${ours.toFixed(2)} s`,
    other: `${limit} s`,
    ratio: ours / limit,
    bound: { atMost: 1 },
  };
}
