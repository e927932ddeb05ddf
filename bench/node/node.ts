import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { limitedNode } from '#test/support/nodes/limited-node.ts';
import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { openChild } from '../child.ts';
import { cannedAnswers } from './chain.ts';

interface NodeOptions {
  readonly chain: ChainName;
  readonly transactions: number;
  /** Providers do not offer RLP, nodes of one's own do. */
  readonly isRaw?: boolean;
  /** Delays responses, as many as `atOnce` together. Further calls wait. */
  readonly pace?: { readonly latencyMs: number; readonly atOnce: number };
  /** Calls a second, and as many at once, above which calls are refused with HTTP 429, after 50 ms each. */
  readonly perSecond?: number;
}

/** Serves canned blocks. @returns a function that returns the URL */
export async function open({ chain, transactions, isRaw = false, pace, perSecond }: NodeOptions) {
  const answer = await cannedAnswers(chainOf(chain), transactions, isRaw);
  const limit = pLimit(pace?.atOnce ?? 1);
  const clock = { now: () => performance.now(), sleep: (ms: number) => wait(ms) };
  const refuse = () => ({ status: 429, body: '' });
  const limited = perSecond && limitedNode({ calls: perSecond, everyMs: 1_000 }, clock, refuse, answer);
  const { url } = await startJsonRpcServer(async (call) => {
    if (limited) return limited.answer(call);
    if (pace) await limit(() => wait(pace.latencyMs));
    return answer(call);
  });
  return async () => url;
}

/** Starts a canned node in a child process, so that measurements exclude its CPU time. */
export async function openNode(options: NodeOptions): Promise<{ readonly url: string } & AsyncDisposable> {
  const child = await openChild<NodeOptions, string>(new URL(import.meta.url), options);
  const { value: url } = await child.run();
  return { url, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
}
