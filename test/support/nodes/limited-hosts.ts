import type { ChainPosition } from '#core/blocks/link-problems.ts';
import { nodeBlocks } from '#core/blocks/nodes/node-blocks.ts';
import { virtualTime } from '#test/simulation/virtual-time.ts';
import { refAt, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { serveHosts } from './hosts.ts';
import type { Answer, NodeAnswer, NodeResponse } from './json-rpc-server.ts';
import { type LimitedNode, limitedNode } from './limited-node.ts';
import { requestContextWith } from './source.ts';

/* Two days of 150 blocks, read in virtual time from hosts that limit their rate. */

const LAST = 299;
const CALLS_PER_SECOND = 20;
/** As in a service on one machine. */
const NEXT_RUN_MS = 5_000;
/** Ten times what one host needs. */
const MAX_MS = 300_000;

/** @param name distinguishes the blocks of two chains */
export const daysOf150 = (name?: string) =>
  sampleChain(
    Array.from({ length: LAST + 1 }, (_, number) => number * 576),
    name,
  );
export const blocks = daysOf150();

export interface LimitedHost {
  readonly answer: NodeAnswer;
  /** Calls a second that it can sustain: 20, unless stated. */
  readonly bears?: number;
  /** Its answer to more calls: HTTP 429, unless stated. */
  readonly refusal?: NodeResponse;
  /** The fragment of its URL. */
  readonly options?: string;
}

export interface Reading {
  readonly runs: number;
  readonly seconds: number;
  /** Calls and refused calls of each host. */
  readonly calls: readonly number[];
  readonly refused: readonly number[];
}

/** Reads all blocks, in as many runs as it takes. @throws Error after five minutes of virtual time */
export async function readFromHosts(given: readonly LimitedHost[]): Promise<Reading> {
  const time = virtualTime(Date.parse('2026-11-20T00:00:00Z'));
  const { now, sleep } = time;
  const startedAt = now();
  const calls = given.map(() => 0);
  const nodes = given.map(({ answer, bears = CALLS_PER_SECOND, refusal = { status: 429, body: '' } }) =>
    limitedNode({ calls: bears, everyMs: 1_000 }, time, () => refusal, answer),
  );
  const tooLate = new AbortController();
  const { signal } = tooLate;
  const context = requestContextWith({ signal, clock: { now, sleep, jitter: (ms) => ms } });
  const counted =
    (node: LimitedNode, index: number): Answer =>
    (call) => {
      calls[index] = (calls[index] ?? 0) + 1;
      if (now() - startedAt > MAX_MS) tooLate.abort(new Error(`too late, after ${calls} calls`));
      return node.answer(call);
    };
  using hosts = serveHosts(
    nodes.map((node, index) => ({
      head: undefined,
      endpoints: [counted(node, index)],
      options: given[index]?.options,
    })),
    { context },
  );
  const end = refAt(blocks, LAST);
  const network = { ...hosts, anchor: { ...end, parentHash: '', timestamp: 0, hosts: [] } };
  // A liar with a genesis of its own is found by the votes on a day, which are not part of this.
  let place: ChainPosition = { block: refAt(blocks, 0), notBefore: 0 };
  for (let runs = 1; ; runs++) {
    const stream = nodeBlocks(network).blocks(place, end);
    let next = await stream.next();
    for (; !next.done; next = await stream.next())
      place = { block: next.value, notBefore: next.value.timestamp };
    if (next.value.kind === 'end reached')
      return {
        runs,
        seconds: (now() - startedAt) / 1_000,
        calls,
        refused: nodes.map(({ refused }) => refused()),
      };
    await sleep(NEXT_RUN_MS);
  }
}
