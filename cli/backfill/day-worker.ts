import { parentPort, workerData } from 'node:worker_threads';
import { createEraFiles } from '../../core/blocks/era/era-files.ts';
import { createEraSource } from '../../core/blocks/files/choose-source.ts';
import { fileBlocks } from '../../core/blocks/files/file-blocks.ts';
import type { BlockFiles, EraFileName } from '../../core/blocks/files/source.ts';
import { type FreezerRange, openFreezer } from '../../core/blocks/freezer/freezer.ts';
import type { ChainName } from '../../core/chains/chains.ts';
import { startOfDay, type UtcDay } from '../../core/figures/calendar.ts';
import { upstreamsOf } from '../endpoints.ts';
import { findService } from '../find-service.ts';
import { chainIn } from '../service.ts';
import { type DayResult, type DayWork, ingestDayFully } from './ingest-day.ts';
import type { BlocksRead } from './read-days.ts';

/* A thread that reads one day after the other from files, since a proof keeps a core busy. */

/** The place of the table, the endpoints and the files of a thread. */
export interface DayWorkerData {
  readonly stage: string | undefined;
  readonly chain: ChainName;
  readonly url: string;
  /** Only for a freezer. */
  readonly range: FreezerRange | undefined;
}

/** A day to read, or `stop` to end the current one early. */
export type ToWorker = { readonly day: UtcDay } | 'stop';

/** The blocks that were proven since the last message, or the end of the day. */
export type FromWorker = { readonly read: BlocksRead } | { readonly result: DayResult };

/** Milliseconds between two messages about progress. */
const REPORT_EVERY = 200;

const { stage, chain, url, range } = workerData as DayWorkerData;
const service = await findService({ json: true, ...(stage !== undefined && { stage }) });
const served = chainIn(service, chain);
const upstreams = await upstreamsOf(served, undefined);
const openFiles = await fileOpener();
let stop = new AbortController();

/** Returns a function that opens the files for one run. Those of a mirror are listed once. */
async function fileOpener(): Promise<(signal: AbortSignal) => BlockFiles> {
  if (range) return () => openFreezer(url, served.chain, range);
  const era = await createEraSource(url);
  let names: Promise<readonly EraFileName[]> | undefined;
  const list = (signal?: AbortSignal) => {
    names ??= era.list(signal).catch((error: unknown) => {
      names = undefined;
      throw error;
    });
    return names;
  };
  return (signal) => createEraFiles({ ...era, list }, signal);
}

parentPort?.on('message', (message: ToWorker) => {
  if (message === 'stop') stop.abort();
  else void read(message.day);
});

const send = (message: FromWorker) => parentPort?.postMessage(message);

async function read(day: UtcDay): Promise<void> {
  stop = new AbortController();
  let [blocks, bytes, timestamp, reportedAt] = [0, 0, startOfDay(day), Date.now()];
  const report = () => {
    send({ read: { blocks, bytes, timestamp } });
    [blocks, bytes, reportedAt] = [0, 0, Date.now()];
  };
  const blocksOf: DayWork['blocksOf'] = (network) =>
    fileBlocks(openFiles(network.context.signal), network, (size) => {
      bytes += size;
    });
  const onBlock: DayWork['onBlock'] = (_, block) => {
    blocks += 1;
    timestamp = block.timestamp;
    if (Date.now() - reportedAt > REPORT_EVERY) report();
  };
  const work = { served, upstreams, signal: stop.signal, onBlock, blocksOf };
  const result = await ingestDayFully(work, day);
  report();
  send({ result });
}
