import { INGEST_MEMORY_GB, prices } from './prices.ts';

/** What is to be read, and how fast. */
export interface Workload {
  readonly days: number;
  readonly blocks: number;
  /** How many days are read at once. */
  readonly daysAtOnce: number;
  /** Blocks a second of each of them. */
  readonly blocksPerSecond: number;
}

/** What reading it takes, and costs in US dollars. */
export interface Estimate {
  readonly blocks_per_second: number;
  readonly seconds: number;
  readonly json_rpc_calls: number;
  readonly lambda: Item;
  readonly lambda_requests: Item;
  readonly state_transitions: Item;
  readonly table_writes: Item;
  readonly dollars: number;
}

interface Item {
  readonly amount: number;
  readonly dollars: number;
}

/** Each block takes its header and its receipts. */
const CALLS_A_BLOCK = 2;
/** A run reads until 15 seconds before its five minutes are over. */
const READING_S = 285;
/** Each asks all nodes for their newest final block, and the table for its place. Assumed. */
const BEGINNING_S = 1;
/** The first run of a day looks for its first block, one header after the other. Assumed. */
const SEARCH_S = 5;
const CHECKPOINT_EVERY_S = 5;
/** The checkpoint that the day begins with, the day, the coverage, and the checkpoint taken away. */
const WRITES_A_DAY = 4;
/** Its start, Begin and Final; and Ingest and Is it final? for each run (lib/backfill/definition.ts). */
const TRANSITIONS_A_DAY = 3;
const TRANSITIONS_A_RUN = 2;
const TRANSITIONS_OF_ALL = 7;

export function estimate({ days, blocks, daysAtOnce, blocksPerSecond }: Workload): Estimate {
  // Days without blocks leave nothing to measure by.
  const reading = blocks === 0 ? 0 : blocks / days / blocksPerSecond;
  const runs = Math.max(1, Math.ceil(reading / READING_S));
  const secondsADay = SEARCH_S + reading + runs * BEGINNING_S;
  const lambda = priced(secondsADay * days * INGEST_MEMORY_GB, prices.lambdaGbSecond);
  const requests = priced(runs * days, prices.lambdaRequest);
  const transitions = priced(
    TRANSITIONS_OF_ALL + days * (TRANSITIONS_A_DAY + runs * TRANSITIONS_A_RUN),
    prices.stateTransition,
  );
  const writes = priced(
    days * (WRITES_A_DAY + Math.ceil(secondsADay / CHECKPOINT_EVERY_S)),
    prices.tableWrite,
  );
  return {
    blocks_per_second: blocksPerSecond * Math.min(daysAtOnce, days),
    seconds: secondsADay * Math.ceil(days / daysAtOnce),
    json_rpc_calls: blocks * CALLS_A_BLOCK,
    lambda,
    lambda_requests: requests,
    state_transitions: transitions,
    table_writes: writes,
    dollars: lambda.dollars + requests.dollars + transitions.dollars + writes.dollars,
  };
}

const priced = (amount: number, price: number): Item => ({
  amount: Math.round(amount),
  dollars: amount * price,
});

/**
 * Nobody knows before whether nodes give each day as much as one alone was given now, or that to all days together: so both.
 * @param speed blocks a second that were measured
 */
export function estimateBetween({
  speed,
  ...work
}: Omit<Workload, 'blocksPerSecond'> & { readonly speed: number }): {
  readonly best: Estimate;
  readonly worst: Estimate;
} {
  const shared = speed / Math.min(work.daysAtOnce, work.days);
  return {
    best: estimate({ ...work, blocksPerSecond: speed }),
    worst: estimate({ ...work, blocksPerSecond: shared }),
  };
}
