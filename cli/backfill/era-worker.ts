import { parentPort } from 'node:worker_threads';
import { chainOf } from '../../core/chains/chains.ts';
import { systemClock } from '../../core/clock.ts';
import { createAnyEraSource } from '../../core/era/folder-source.ts';
import { UnreadableError } from '../../core/era/source.ts';
import { readEraFile, type SumRun } from '../../core/era/sum-file.ts';
import type { EraSums } from '../../core/store/era-sums.ts';

/* A thread that proves one era file after the other, since a proof keeps a core busy. */

/** A file to prove. */
export type FileTask = Pick<SumRun, 'name' | 'begun' | 'feed'>;

/** A file to prove, or `stop` to end the current one early. */
export type ToWorker = (FileTask & { readonly location: string }) | 'stop';

/** The blocks that were proven since the last message, or the end of the file. */
export type FromWorker =
  | { readonly blocks: number }
  | { readonly sums: EraSums }
  | { readonly unreadable: string };

const stop = new AbortController();
const send = (message: FromWorker) => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToWorker) => {
  if (message === 'stop') stop.abort();
  else void prove(message);
});

async function prove({ location, ...task }: Exclude<ToWorker, 'stop'>): Promise<void> {
  try {
    const source = await createAnyEraSource(location);
    const sums = await readEraFile(source, {
      chain: chainOf('ETHEREUM'),
      ...task,
      clock: systemClock,
      signal: stop.signal,
      onBlocks: (blocks) => send({ blocks }),
    });
    send({ sums });
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    send({ unreadable: error.message });
  }
}
