import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { UtcDay } from '../../core/figures/calendar.ts';
import type { DayResult } from '../ingest-day.ts';
import type { DayWorkerData, FromWorker, ToWorker } from './day-worker.ts';
import type { BlocksRead } from './read-days.ts';

/** Threads that read days. */
export interface DayThreads extends AsyncDisposable {
  /** Reads a day on a free thread, until the signal aborts. No more days may be given at once than there are threads. */
  readonly read: (
    day: UtcDay,
    signal: AbortSignal,
    onBlocks: (read: BlocksRead) => void,
  ) => Promise<DayResult>;
}

export function startDayThreads(count: number, workerData: DayWorkerData): DayThreads {
  const url = new URL('day-worker.ts', import.meta.url);
  const workers = Array.from({ length: count }, () => new Worker(url, { workerData }));
  const free = [...workers];
  return {
    read: async (day, signal, onBlocks) => {
      const worker = free.pop();
      if (!worker) throw new Error('No thread is free.');
      const stop = () => worker.postMessage('stop' satisfies ToWorker);
      signal.addEventListener('abort', stop);
      try {
        return await readOn(worker, day, onBlocks);
      } finally {
        signal.removeEventListener('abort', stop);
        free.push(worker);
      }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

async function readOn(
  worker: Worker,
  day: UtcDay,
  onBlocks: (read: BlocksRead) => void,
): Promise<DayResult> {
  const messages = on(worker, 'message');
  worker.postMessage({ day } satisfies ToWorker);
  for await (const [message] of messages as AsyncIterable<[FromWorker]>) {
    if ('result' in message) return message.result;
    onBlocks(message.read);
  }
  throw new Error('A thread ended without a result.');
}
