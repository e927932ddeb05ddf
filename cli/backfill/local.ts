import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { fileBlocks } from '../../core/blocks/files/file-blocks.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { upstreamsOf } from '../endpoints.ts';
import { findService } from '../find-service.ts';
import type { CommonOptions } from '../options.ts';
import { chainIn } from '../service.ts';
import type { DayWorkerData, FromWorker, ToWorker } from './day-worker.ts';
import type { RangeOptions } from './plan.ts';
import { openFiles, planFiles, startLine } from './plan-files.ts';
import { type BlocksRead, readDays } from './read-days.ts';

interface LocalOptions extends CommonOptions, RangeOptions {
  /** Mirror, bucket or folder. */
  readonly url: string;
  readonly concurrency: number;
}

/** Reads the missing days of files on the cores of this machine into the table of the service. */
export async function backfillLocally(options: LocalOptions): Promise<void> {
  const { stage, chain, url, concurrency } = options;
  const service = await findService(options);
  const served = chainIn(service, chain);
  const opened = await openFiles(served, options);
  const { files, range } = opened;
  const upstreams = await upstreamsOf(served, undefined);
  const { dates, cutDay, finalBefore } = await planFiles(served, opened, options);
  const count = Math.min(concurrency, dates.length);
  await using threads = startDayThreads(count, { stage, chain, url, range });
  await readDays(options, {
    ...{ served, upstreams, dates, finalBefore, atOnce: concurrency },
    read: async (day, signal, onBlocks) => {
      const result = await threads.read(day, signal, onBlocks);
      if (result.state !== 'begun' || day === cutDay) return result;
      const reason = 'the last blocks of the files are damaged';
      return { state: 'failed', reason, isUnreachable: false };
    },
    blocksOf: (network) => fileBlocks(files, network),
    again: startLine(service.flags, chain, options, { local: true, concurrency }),
  });
}

function startDayThreads(count: number, workerData: DayWorkerData) {
  const url = new URL('day-worker.ts', import.meta.url);
  const workers = Array.from({ length: count }, () => new Worker(url, { workerData }));
  const free = [...workers];
  return {
    /** Reads a day on a free thread, until the signal aborts. No more days may be given at once than there are threads. */
    read: async (day: UtcDay, signal: AbortSignal, onBlocks: (read: BlocksRead) => void) => {
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

async function readOn(worker: Worker, day: UtcDay, onBlocks: (read: BlocksRead) => void) {
  const messages = on(worker, 'message');
  worker.postMessage({ day } satisfies ToWorker);
  for await (const [message] of messages as AsyncIterable<[FromWorker]>) {
    if ('result' in message) return message.result;
    onBlocks(message.read);
  }
  throw new Error('A thread ended without a result.');
}
