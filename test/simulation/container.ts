import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import type { Dispatcher } from 'undici';
import * as z from 'zod/mini';
import { ingestChain } from '../../lambda/ingest/ingest-chain.ts';
import type { IngestReport } from '../../lambda/ingest/report.ts';
import { endpointOf } from '../../lambda/rpc/endpoint.ts';
import { openUpstream } from '../../lambda/rpc/upstream.ts';
import { chainStore } from '../../lambda/store/chain-store.ts';
import { dispatchFrom } from '../support/in-process-dispatch.ts';
import type { Handle } from '../support/in-process-table.ts';
import type { Call } from '../support/json-rpc-server.ts';
import { type Random, randomFrom } from '../support/random.ts';
import { ViolationError } from './oracle.ts';
import type { World } from './world.ts';

/** A process that runs the ingest, one run at a time, until it crashes. What it learned of endpoints it keeps. */
export interface Container {
  /** @returns undefined when it crashed, and is gone */
  readonly run: () => Promise<IngestReport | undefined>;
  /** How it reaches the nodes. */
  readonly dispatch: Dispatcher['dispatch'];
}

/** What the scheduler gives a run, and what Lambda gives it to end in. */
const RUN_MS = [3_000, 30_000, 300_000];
const RESERVE_MS = 15_000;
const SILENCE_MS = 30_000;
const AN_HOUR = 3_600_000;

export function startContainer(world: World, name: string): Container {
  const random = randomFrom(world.seed, 'container', name);
  const { time } = world;
  const crash = Promise.withResolvers<undefined>();
  let crashesIn = Number.POSITIVE_INFINITY;
  let isCrashed = false;
  let skew = 0;

  const haltIfGone = async () => {
    if (isCrashed) await new Promise<never>(() => {});
  };
  /** A place where the process may end, for good: nothing that waits for it ever goes on. */
  const step = async () => {
    crashesIn -= 1;
    if (crashesIn <= 0) {
      isCrashed = true;
      crash.resolve(undefined);
    }
    await haltIfGone();
  };
  const wait = async (ms: number, signal?: AbortSignal) => {
    // The limits of its calls are in real time, and may still wake it.
    await haltIfGone();
    await time.sleep(ms, signal);
    await haltIfGone();
  };

  const clock = {
    now: () => time.now() + skew,
    sleep: async (ms: number, signal: AbortSignal) => {
      await wait(ms, signal);
      // The clock of a machine may jump at any time, in both directions.
      if (world.isRough && random.chance(0.02)) skew += (random.below(3) - 1) * AN_HOUR;
    },
    jitter: (ms: number) => ms * (0.5 + random.below(1_000) / 2_000),
  };
  const table = world.store.through((handle) => async (request) => {
    await step();
    await wait(random.below(20));
    const answer = await mishandled(world, random, handle, request);
    await wait(random.below(20));
    await step();
    return answer;
  });
  const upstreams = world.nodes.map(({ host }) =>
    openUpstream(endpointOf(world.chain.chain, `http://${host}/${world.id}/${name}`)),
  );

  const answerBy = (node: World['nodes'][number]) => async (call: Call) => {
    await step();
    await wait(1 + random.below(200));
    const answer = node.answer(call);
    if ('hang' in answer) {
      await wait(SILENCE_MS);
      throw new DOMException('too late', 'TimeoutError');
    }
    await step();
    return answer;
  };
  const dispatch = dispatchFrom(({ hostname }) => {
    const node = world.nodes.find(({ host }) => host === hostname);
    return node && answerBy(node);
  });

  return {
    dispatch,
    run: async () => {
      const isDoomed = world.isRough && random.chance(0.5);
      crashesIn = isDoomed ? 1 + random.below(100) : Number.POSITIVE_INFINITY;
      const ms = world.isRough ? random.pick(RUN_MS) : 300_000;
      const { chain, expected } = world.chain;
      // Some runs are those of a backfill: for one day, in no order.
      const day = world.isRough && random.chance(0.4) ? random.pick([...expected.keys()]) : undefined;
      const stopAt = clock.now() + ms;
      const ended = new AbortController();
      const killed = time.sleep(ms + RESERVE_MS, ended.signal).then(
        () => {
          throw new ViolationError('a run did not end when its time was over');
        },
        () => undefined,
      );
      const store = chainStore(table, chain.name);
      const report = ingestChain({ chain, upstreams, store, from: chain.firstDay, day, stopAt, clock });
      try {
        const told = await Promise.race([report, crash.promise, killed]);
        // A day that is published and then found to be other is a wrong figure, now or before.
        if (told?.outcome === 'conflict') throw new ViolationError(`${told.reason}`);
        return told;
      } finally {
        ended.abort();
      }
    },
  };
}

const putSchema = z.object({ Item: z.object({ date: z.object({ S: z.string() }) }) });

/** A request to the table as things go: most are handled, some are refused, and of some the answer is lost on its way. */
async function mishandled(
  { time, oracle, isRough, rate }: World,
  random: Random,
  handle: Handle,
  request: HttpRequest,
): Promise<HttpResponse> {
  const mishap = random.chance(isRough ? rate / 5 : 0)
    ? random.pick(['throttled', 'lost', 'repeated'])
    : 'none';
  if (mishap === 'throttled') return THROTTLED;
  const handled = async () => {
    const answer = await time.during(handle(request));
    const put = putSchema.safeParse(JSON.parse(new TextDecoder().decode(request.body)));
    // Looked at before any time passes: what is wrong for a moment only is wrong too.
    const date = put.data?.Item.date.S;
    if (date && /^\d/.test(date)) await time.during(oracle.checkDay(date));
    return answer;
  };
  const answer = await handled();
  if (mishap === 'lost') throw Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' });
  // As when the client did not get an answer and asked again by itself.
  return mishap === 'repeated' ? handled() : answer;
}

const THROTTLED = new HttpResponse({
  statusCode: 400,
  body: Buffer.from(
    JSON.stringify({ __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException', message: 'slow down' }),
  ),
});
