import { parentPort } from 'node:worker_threads';
import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { systemClock } from '../../core/clock.ts';
import { createAnyEraSource } from '../../core/era/folder-source.ts';
import { openFreezerRange } from '../../core/era/freezer/blocks.ts';
import { UnreadableError } from '../../core/era/source.ts';
import { type ProvenNow, readEraFile, type SumRun, sumEraFile } from '../../core/era/sum-file.ts';
import type { EraSums } from '../../core/store/era-sums.ts';

/* A thread that proves one era file after the other, since a proof keeps a core busy. */

/** A file to prove, or a range of a freezer. */
export interface FileTask extends Pick<SumRun, 'name' | 'begun' | 'feed'> {
  readonly chain: ChainName;
}

/** A file to prove, or `stop` to end the current one early. */
export type ToWorker = (FileTask & { readonly location: string }) | 'stop';

/** The blocks that were proven since the last message, or the end of the file. */
export type FromWorker =
  | { readonly proven: ProvenNow }
  | { readonly sums: EraSums }
  | { readonly unreadable: string };

const stop = new AbortController();
const send = (message: FromWorker) => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToWorker) => {
  if (message === 'stop') stop.abort();
  else void prove(message);
});

/** In milliseconds. What a thread has proven is saved this often, so that a crash loses no more. */
const SAVE_EVERY = 30_000;

async function prove({ location, ...task }: Exclude<ToWorker, 'stop'>): Promise<void> {
  const chain = chainOf(task.chain);
  const run = {
    ...task,
    chain,
    clock: systemClock,
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(SAVE_EVERY)]),
    onBlocks: (proven: ProvenNow) => send({ proven }),
  };
  try {
    const sums =
      task.name.format === 'freezer'
        ? await sumEraFile({ ...run, file: openFreezerRange(location, chain, task.name), host: 'localhost' })
        : await readEraFile(await createAnyEraSource(location), run);
    send({ sums });
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    send({ unreadable: error.message });
  }
}
