import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UnreadableError } from '../../core/era/source.ts';
import type { ProvenNow } from '../../core/era/sum-file.ts';
import type { EraSums } from '../../core/store/era-sums.ts';
import { interrupted } from '../interrupt.ts';
import type { FileTask, FromWorker, ToWorker } from './era-worker.ts';

/** Threads that prove files. */
export interface EraThreads extends AsyncDisposable {
  /**
   * Proves a file on a free thread. No more files may be given at once than there are threads.
   * @throws UnreadableError
   */
  readonly sum: (task: FileTask, onBlocks: (proven: ProvenNow) => void) => Promise<EraSums>;
}

/** Starts `count` threads for the files of one place. Ctrl-C ends their files early. */
export function startEraThreads(count: number, location: string): EraThreads {
  const workers = Array.from({ length: count }, () => new Worker(new URL('era-worker.ts', import.meta.url)));
  const free = [...workers];
  const stop = () => {
    for (const worker of workers) worker.postMessage('stop' satisfies ToWorker);
  };
  interrupted.addEventListener('abort', stop);
  return {
    sum: async (task, onBlocks) => {
      const worker = free.pop();
      if (!worker) throw new Error('No thread is free.');
      try {
        return await sumOn(worker, { location, ...task }, onBlocks);
      } finally {
        free.push(worker);
      }
    },
    [Symbol.asyncDispose]: async () => {
      interrupted.removeEventListener('abort', stop);
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

async function sumOn(
  worker: Worker,
  task: ToWorker,
  onBlocks: (proven: ProvenNow) => void,
): Promise<EraSums> {
  const messages = on(worker, 'message');
  worker.postMessage(task);
  for await (const [message] of messages as AsyncIterable<[FromWorker]>) {
    if ('proven' in message) onBlocks(message.proven);
    else if ('sums' in message) return message.sums;
    else throw new UnreadableError(message.unreadable);
  }
  throw new Error('A thread ended without a result.');
}
