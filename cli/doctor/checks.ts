import { BlockError } from '../../lambda/chains/block-error.ts';
import { SECONDS_PER_DAY } from '../../lambda/chains/utc-day.ts';
import { checkChainId, getFinalHead } from '../../lambda/ingest/endpoint-probe.ts';
import { readBlockFrom } from '../../lambda/ingest/read-block.ts';
import { type Endpoint, EndpointError, UNAVAILABLE_KINDS } from '../../lambda/rpc/endpoint.ts';
import type { Rpc } from '../../lambda/rpc/json-rpc.ts';
import { getHeader, getReceipts } from '../../lambda/rpc/methods.ts';
import type { Check, Known } from './examination.ts';
import { firstWholeDay, oldestBlock } from './history.ts';
import { rpcOnce } from './slow-rpc.ts';
import { measureLatency, measureLimits } from './speed.ts';
import type { Target } from './targets.ts';

/** Nodes that follow their chain call a block final that is minutes old, or hours at worst. */
const OLD_SECONDS = SECONDS_PER_DAY;
/** The newest one alone may happen to be empty, and show nothing. */
const BLOCKS_TO_READ = 5;
const BLOCKS_TO_TIME = 1_000;
const CALLS_TO_TIME = 12;
/** Calls are made for so many of the newest blocks, in turn, so that no cache answers for all. */
const RECENT_BLOCKS = 100;

/** Whom the checks are made of, and what is known so far. */
export interface Patient {
  readonly target: Target;
  readonly endpoint: Endpoint;
  readonly signal: AbortSignal;
  readonly rpc: Rpc;
  readonly known: Known;
}

/** Each adds what it finds to what is known, or throws what is wrong. */
export const checkers: Readonly<Record<Check, (patient: Patient) => Promise<void>>> = {
  'chain ID': ({ endpoint, rpc }) => checkChainId(rpc, endpoint),

  'finalized block': async ({ target: { chain, confirmations }, rpc, known }) => {
    const { number, timestamp } = await getFinalHead(rpc, chain, confirmations ?? chain.confirmations);
    known.finalized = { number, timestamp };
    if (Date.now() / 1_000 - timestamp > OLD_SECONDS) throw new OldHeadError(timestamp);
  },

  receipts: async ({ target, endpoint, rpc, known }) => {
    const { number } = headOf(known);
    for (let back = 0; back < BLOCKS_TO_READ && back <= number; back++) {
      await readBlockFrom(target, number - back, rpc, endpoint.host);
    }
    known.has_receipts = true;
  },

  history: async ({ target, endpoint, rpc, known }) => {
    const head = headOf(known);
    let oldest = head;
    let reason: string | undefined;
    const block = await oldestBlock(head.number, async (number) => {
      const read = await readBlockFrom(target, number, rpc, endpoint.host).catch((error: unknown) => {
        reason = reasonForLack(error);
      });
      if (read && number < oldest.number) oldest = read;
      return read !== undefined;
    });
    const since = firstWholeDay(oldest, target.chain.firstDay);
    known.history = { block, since, ...(reason !== undefined && block > 0 && { ends_because: reason }) };
    const before = Math.max(block, head.number - BLOCKS_TO_TIME);
    if (before === head.number) return;
    const { timestamp } = await getHeader(rpc, before);
    known.seconds_per_block = (head.timestamp - timestamp) / (head.number - before);
  },

  latency: async ({ rpc, known }) => {
    const numberAt = recentBlocks(known);
    known.header_latency = await measureLatency(CALLS_TO_TIME, (index) => getHeader(rpc, numberAt(index)));
    known.receipts_latency = await measureLatency(CALLS_TO_TIME, (index) =>
      getReceipts(rpc, numberAt(index)),
    );
  },

  limits: async ({ endpoint, signal, known }) => {
    const once = rpcOnce(endpoint, signal);
    const numberAt = recentBlocks(known);
    // Half of the calls each, as the ingest makes them.
    const ask = (index: number) =>
      index % 2 === 0 ? getHeader(once, numberAt(index / 2)) : getReceipts(once, numberAt((index - 1) / 2));
    known.limits = await measureLimits(ask, (error) => {
      if (error instanceof EndpointError) return error.message;
      throw error;
    });
  },
};

/** A node that calls nothing newer final stands still. */
export class OldHeadError extends Error {
  constructor(timestamp: number) {
    super(`its newest final block is of ${new Date(timestamp * 1_000).toISOString()}`);
  }
}

function headOf({ finalized }: Known) {
  if (!finalized) throw new Error('the finalized block is checked before');
  return finalized;
}

/** The numbers of the newest blocks that are there, over and over. */
function recentBlocks(known: Known): (index: number) => number {
  const { number } = headOf(known);
  const count = Math.min(RECENT_BLOCKS, number - (known.history?.block ?? number) + 1);
  return (index) => number - (index % count);
}

/**
 * Why an endpoint does not have a block, or not so that it can be counted.
 * @throws the error when it tells nothing of that
 */
function reasonForLack(error: unknown): string {
  if (error instanceof BlockError) return error.message;
  const isLacking =
    error instanceof EndpointError && (UNAVAILABLE_KINDS.has(error.kind) || error.kind === 'bad answer');
  if (!isLacking) throw error;
  return error.message;
}
