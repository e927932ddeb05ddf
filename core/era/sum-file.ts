import { setImmediate as turn } from 'node:timers/promises';
import type { Chain } from '../chains/chains.ts';
import type { Clock } from '../clock.ts';
import type { BlockHeader, SummedBlock } from '../figures/block.ts';
import { dayOf, type UtcDay } from '../figures/calendar.ts';
import { noDollars, type PriceSource } from '../figures/dollars.ts';
import { advance, type DayProgress, startDayProgress } from '../figures/progress.ts';
import { loadKeccak } from '../proof/encoding/keccak.ts';
import { ProofError } from '../proof/encoding/proof-error.ts';
import { excessProblem } from '../proof/prices/excess-blob-gas.ts';
import { type BlockBytes, proveRawBlock } from '../proof/prove-raw-block.ts';
import { linkOf } from '../proof/proven-block.ts';
import { decodeRawHeader } from '../proof/raw/raw-header.ts';
import type { EraSums } from '../store/era-sums.ts';
import { addRecord, checkAccumulator, NO_RECORDS } from './accumulator.ts';
import type { BlockFileName } from './file-name.ts';
import { type BlockRange, type EraBlocks, readEraBlocks } from './read-blocks.ts';
import { EraFileError, type EraSource, type RandomAccess, UnreadableError } from './source.ts';

/** The input of one run over a file. */
export interface SumRun {
  readonly chain: Chain;
  readonly name: BlockFileName;
  readonly file: RandomAccess | BlockRange;
  /** Host that the file comes from. */
  readonly host: string;
  /** Sums of an earlier run, to continue from. */
  readonly begun?: EraSums | undefined;
  readonly clock: Clock;
  /** The contract whose prices are read in all blocks of the file; absent where it is not known. */
  readonly feed?: PriceSource | undefined;
  /** Ends the run after the current block. */
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with what was proven since the last call. */
  readonly onBlocks?: (proven: ProvenNow) => void;
}

/** What was proven since the last report. */
export interface ProvenNow {
  readonly blocks: number;
  /** Decompressed, of headers, transactions and receipts. */
  readonly bytes: number;
  /** Day of the last block. */
  readonly day: UtcDay | undefined;
}

/** Blocks between two turns of the event loop, in which the next bytes of the file arrive. */
const BLOCKS_PER_TURN = 16;
/** Far more days than the 8,192 blocks of a file span; each takes up to 8 KB of an item of 400 KB. */
const MAX_DAYS = 40;

/** Returns whether all blocks of a file are summed. */
export const isSummed = ({ problem, count, first, days }: EraSums): boolean =>
  problem === undefined && count > 0 && days.at(-1)?.last?.number === first + count - 1;

/** Returns the number of blocks that are summed so far; 0 for a file that is refused. */
export const blocksIn = ({ days, first }: EraSums): number =>
  (days.at(-1)?.last?.number ?? first - 1) + 1 - first;

/**
 * Proves the blocks of a file against their hashes, and sums them by day. The caller must check that the last hash is canonical.
 * @returns the sums: of all blocks, of those up to the end of the run, or with the problem for which the file is refused
 * @throws UnreadableError when the file cannot be read for now, before the first block of this run
 */
export async function sumEraFile(run: SumRun): Promise<EraSums> {
  const { clock, begun, name, file } = run;
  await loadKeccak();
  const startedAt = clock.now();
  const seconds = () => (begun?.seconds ?? 0) + (clock.now() - startedAt) / 1_000;
  const none = {
    name: name.name,
    first: 0,
    count: 0,
    parentHash: '',
    days: [],
    records: NO_RECORDS,
    confirmedBy: [],
  };
  try {
    const blocks = 'blocks' in file ? file.blocks : await readEraBlocks(file, name);
    // A mirror may have replaced the file since.
    const isSame = begun?.first === blocks.first && begun.count === blocks.count;
    const sums = await sumBlocks(run, blocks, isSame ? begun : undefined).catch((error) => {
      // The sums to continue from may be of another file of this name.
      if (!isSame || !isRefusal(error)) throw error;
      return sumBlocks(run, blocks, undefined);
    });
    return { ...none, ...sums, seconds: seconds(), bytes: file.size };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const problem = error instanceof ProofError ? `${error.field}: ${error.message}` : error.message;
    return { ...none, problem, seconds: seconds(), bytes: file.size };
  }
}

const isRefusal = (error: unknown): error is EraFileError | ProofError =>
  error instanceof EraFileError || error instanceof ProofError;

/** Opens a file and sums it. @throws UnreadableError */
export async function readEraFile(
  { host, open }: EraSource,
  run: Omit<SumRun, 'file' | 'host'>,
): Promise<EraSums> {
  const file = await open(run.name, run.signal);
  return sumEraFile({ ...run, file, host }).finally(file.close);
}

type Sums = Pick<EraSums, 'first' | 'count' | 'parentHash' | 'days' | 'records'>;

async function sumBlocks(run: SumRun, blocks: EraBlocks, begun: EraSums | undefined): Promise<Sums> {
  const { first, count } = blocks;
  const days: DayProgress[] = [...(begun?.days ?? [])];
  let parentHash = begun?.parentHash ?? '';
  let records = begun?.records ?? NO_RECORDS;
  let next = (days.at(-1)?.last?.number ?? first - 1) + 1;
  let reported = next;
  let read = 0;
  const report = () => {
    run.onBlocks?.({ blocks: next - reported, bytes: read, day: days.at(-1)?.day });
    reported = next;
    read = 0;
  };
  const start = next;
  /** Absent before the first block of the file: its parent is in another file. A new schedule of blobs shows in the blocks after it. */
  let parent: BlockHeader | undefined;
  try {
    for await (const bytes of blocks.from(Math.max(0, next - first - 1))) {
      if (next > first && !parent) {
        parent = headerOf(next - 1, days.at(-1), bytes);
        continue;
      }
      const block = proveNext(run, next, { day: days.at(-1), header: parent }, bytes);
      parent = block;
      if (next === first) parentHash = block.parentHash;
      records = addRecord(records, run.name, bytes, block);
      if (next === first + count - 1) checkAccumulator(run.name, blocks.accumulator, records, block.hash);
      addTo(days, block, run.feed);
      read += sizeOf(bytes);
      next += 1;
      if (next % BLOCKS_PER_TURN > 0) continue;
      await turn();
      report();
      if (run.signal?.aborted) break;
    }
  } catch (error) {
    // The next run continues. It finds the reason at its first block, if that persists.
    if (!(error instanceof UnreadableError) || next === start) throw error;
  }
  report();
  return { first, count, parentHash, days, records };
}

const sizeOf = ({ header, transactions, receipts }: BlockBytes): number =>
  [...transactions, ...receipts].reduce((sum, { length }) => sum + length, header.length);

/** Reads the last header that an earlier run summed. @throws EraFileError when it is another one now */
function headerOf(number: number, day: DayProgress | undefined, { header }: BlockBytes): BlockHeader {
  const decoded = decodeRawHeader(header);
  if (decoded.hash === day?.last?.hash) return linkOf(decoded, decoded.hash);
  throw new EraFileError(`block ${number}: it is not the one that was summed before`);
}

/** @throws EraFileError when the block is not proven, or does not continue the one before */
function proveNext(
  { chain, host, feed }: SumRun,
  number: number,
  {
    day: before,
    header,
  }: { readonly day: DayProgress | undefined; readonly header: BlockHeader | undefined },
  bytes: BlockBytes,
): SummedBlock {
  const proof = proveRawBlock(chain, bytes, feed);
  if ('refused' in proof) {
    throw new EraFileError(`block ${number}: ${proof.refused.field}: ${proof.refused.problem}`);
  }
  const { proven } = proof;
  if (proven.number !== number) throw new EraFileError(`block ${number}: it is block ${proven.number}`);
  if (before?.last && proven.parentHash !== before.last.hash) {
    throw new EraFileError(`block ${number}: its parent is ${proven.parentHash}, not ${before.last.hash}`);
  }
  if (proven.timestamp < (before?.notBefore ?? 0)) {
    throw new EraFileError(`block ${number}: it is older than its parent`);
  }
  const changed = header && excessProblem(chain.rules, header, proven);
  if (changed) throw new EraFileError(`block ${number}: ${changed}`);
  const { hash, parentHash, timestamp, blobGas } = proven;
  return { number, hash, parentHash, timestamp, blobGas, ...proof.sums, isProven: true, host };
}

function addTo(days: DayProgress[], block: SummedBlock, feed: PriceSource | undefined): void {
  const day = dayOf(block.timestamp);
  const current = days.at(-1);
  if (current?.day === day) days[days.length - 1] = advance(current, block);
  else if (days.length < MAX_DAYS) {
    const before = { number: block.number - 1, hash: block.parentHash };
    const begun = { ...startDayProgress(day, before), dollars: feed && noDollars(feed) };
    days.push(advance(begun, block));
  } else throw new EraFileError(`block ${block.number}: its blocks span more than ${MAX_DAYS} days`);
}
