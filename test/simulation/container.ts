import type { Dispatcher } from 'undici';
import type { AnchoredNetwork } from '#core/anchor/network.ts';
import { fileBlocks } from '#core/blocks/files/file-blocks.ts';
import type { SendEvent } from '#core/events/day-events.ts';
import type { IngestReport } from '#core/ingest/report.ts';
import { ingestChain } from '#core/ingest/run.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { ResponseError } from '#core/rpc/http/response-body.ts';
import { createUpstream } from '#core/rpc/upstream.ts';
import { TableUnavailableError } from '#core/store/table/client.ts';
import { chainStore, type Item, keyOfWrite, queryItems, type Table } from '#core/store/table/table.ts';
import { type Random, randomFrom } from '#test/support/generators/random/random.ts';
import { type Call, UNAVAILABLE } from '#test/support/nodes/json-rpc-server.ts';
import { dispatchFrom } from '#test/support/servers/in-process-dispatch.ts';
import { filesOf } from './files.ts';
import { ViolationError } from './oracle.ts';
import type { World } from './world.ts';

/** A process that runs the ingest, one run at a time, until it crashes. It keeps the health of endpoints between runs. */
export interface Container {
  /** Returns undefined when the process crashed. */
  readonly run: () => Promise<IngestReport | undefined>;
  /** Its connections to the nodes. */
  readonly dispatch: Dispatcher['dispatch'];
}

/** Time limits of a run, and the time until Lambda ends it. */
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
  /** A point where the process may crash: then its promise never settles. */
  const step = async () => {
    crashesIn -= 1;
    if (crashesIn <= 0) {
      isCrashed = true;
      crash.resolve(undefined);
    }
    await haltIfGone();
  };
  const wait = async (ms: number, signal?: AbortSignal) => {
    // Timeouts of its calls run in real time and may still fire.
    await haltIfGone();
    await time.sleep(ms, signal);
    await haltIfGone();
  };

  const clock = {
    now: () => time.now() + skew,
    sleep: async (ms: number, signal: AbortSignal) => {
      await wait(ms, signal);
      // A system clock may jump at any time, in both directions.
      if (world.isRough && random.chance(0.02)) skew += (random.below(3) - 1) * AN_HOUR;
    },
    jitter: (ms: number) => ms * (0.5 + random.below(1_000) / 2_000),
  };
  const request: Request = async (handle, ...dates) => {
    await step();
    await wait(random.below(20));
    const answer = await mishandled(world, random, handle, dates);
    await wait(random.below(20));
    await step();
    return answer;
  };
  const table = requested(world, random, request);
  const upstreams = world.nodes.map(({ host, options }) =>
    createUpstream(endpointOf(world.chain.chain, `http://${host}/${world.id}/${name}${options}`)),
  );

  const answerBy = (node: World['nodes'][number]) => async (call: Call) => {
    await step();
    await wait(1 + random.below(node.latencyMs));
    const answer = await node.answer(call);
    if ('hang' in answer) {
      await wait(SILENCE_MS);
      throw new ResponseError('timeout', 'no response within 30 s');
    }
    await step();
    return answer;
  };
  const sendEvent: SendEvent = async (event) => {
    await step();
    await wait(random.below(100));
    const isRefused = world.isRough && random.chance(0.1);
    if (!isRefused) world.receiver.receive(event);
    await wait(random.below(100));
    await step();
    // Also for an event that came, like a lost response.
    if (isRefused || (world.isRough && random.chance(0.05))) throw new Error('refused');
  };
  const { evidence } = world;
  const answerAsServer = (host: string) => async (call: Call) => {
    await step();
    await wait(1 + random.below(world.latencyMs));
    return evidence?.answer(host, String(call.params[0])) ?? UNAVAILABLE;
  };
  const dispatch = dispatchFrom(({ hostname }) => {
    if (evidence?.hosts.includes(hostname)) return answerAsServer(hostname);
    const node = world.nodes.find(({ host }) => host === hostname);
    return node && answerBy(node);
  });
  const proof = evidence && {
    servers: evidence.hosts.map((host) =>
      endpointOf(world.chain.chain, `http://${host}/${world.id}/${name}`),
    ),
    checkpoint: evidence.checkpoint,
  };

  return {
    dispatch,
    run: async () => {
      const isDoomed = world.isRough && random.chance(0.5);
      crashesIn = isDoomed ? 1 + random.below(100) : Number.POSITIVE_INFINITY;
      const ms = world.isRough ? random.pick(RUN_MS) : 300_000;
      const { chain, expected } = world.chain;
      // Some runs belong to a backfill: one day each, in any order.
      const day = world.isRough && random.chance(0.4) ? random.pick([...expected.keys()]) : undefined;
      const isClosing = world.isRough && random.chance(0.05);
      const stopAt = clock.now() + ms;
      const ended = new AbortController();
      const killed = time.sleep(ms + RESERVE_MS, ended.signal).then(
        () => {
          throw new ViolationError('a run did not end when its time was over');
        },
        () => undefined,
      );
      const store = chainStore(table, chain);
      const isScheduled = day === undefined && !isClosing;
      const ingest = {
        ...{ chain, upstreams, store, from: chain.firstDay, day, isClosing, stopAt, clock },
        ...(proof && { finality: 'proven' as const, proof: isScheduled ? proof : undefined }),
      };
      // A command sends no events.
      const isCommand = day !== undefined && random.chance(0.3);
      // A backfill reads some of its days from files of a node.
      const files = day !== undefined && random.chance(0.5) ? filesOf(world.chain, random) : undefined;
      const blocksOf = files && ((source: AnchoredNetwork) => fileBlocks(files, source));
      const report = ingestChain(isCommand ? { ...ingest, blocksOf } : { ...ingest, blocksOf, sendEvent });
      try {
        const result = await Promise.race([report, crash.promise, killed]);
        if (result) judge(world, result);
        return result;
      } finally {
        ended.abort();
      }
    },
  };
}

/** @throws ViolationError when a report admits a wrong figure, or blames a node that tells the truth */
function judge({ nodes, cast, isRough, notProven }: World, { outcome, reason, faults }: IngestReport): void {
  // A conflict means that a figure is or was wrong. A single node may say so.
  if (outcome === 'conflict' && cast.company !== 'alone') throw new ViolationError(`${reason}`);
  for (const { host, isHonest } of nodes) {
    const refused = faults[host]?.['not proven'] ?? 0;
    // While nodes fail, nobody may be there to continue the blocks of the honest one.
    const orphaned = isRough ? 0 : (faults[host]?.['not canonical'] ?? 0);
    if (isHonest && refused + orphaned > 0)
      throw new ViolationError(`the honest ${host} is blamed for a block: ${reason}`);
    notProven.set(host, (notProven.get(host) ?? 0) + refused);
  }
}

/** Makes a request to the table. @param dates the sort keys of the items that it writes */
type Request = <T>(handle: () => Promise<T>, ...dates: readonly string[]) => Promise<T>;

/**
 * Returns a table whose requests are made in a way of one's own. Readers see a commit item by item, in any order, until its response: DynamoDB
 * applies transactions in this way.
 */
const requested = (
  { store: table, time, unseen, commits }: World,
  random: Random,
  request: Request,
): Table => {
  const asSeen = (item: Item | undefined, date: string): Item | undefined => {
    const before = unseen.get(date);
    return before && time.now() < before.until ? before.item : item;
  };
  return {
    ...table,
    getItem: (key) =>
      request(async () => asSeen(await table.getItem(key), 'date' in key ? String(key.date) : '')),
    async *queryPages(query) {
      yield await request(async (): Promise<readonly Item[]> => {
        const items = await queryItems(table, query);
        return items.map((item) => asSeen(item, String(item.date))).filter((item) => item !== undefined);
      });
    },
    putIf: (item, condition) =>
      request(() => table.putIf(item, condition), 'date' in item ? String(item.date) : ''),
    deleteItem: (key, condition) => request(() => table.deleteItem(key, condition)),
    commit: (writes) => {
      const dates = writes.flatMap((write) => ('put' in write ? [write.put.date] : []));
      const apply = async () => {
        const before = await Promise.all(writes.map((write) => table.getItem(keyOfWrite(write))));
        const isDone = await table.commit(writes);
        if (!isDone) commits.overtaken += 1;
        const now = time.now();
        for (const [index, write] of writes.entries())
          if (isDone)
            unseen.set(keyOfWrite(write).date, {
              item: before[index],
              until: now + random.below(APPLIED_MS),
            });
        return isDone;
      };
      return request(apply, ...dates).then(async (isDone) => {
        await time.sleep(APPLIED_MS);
        return isDone;
      });
    },
    pause: (maxMs) => time.sleep(random.below(maxMs)),
  };
};

/** Time until all items of a commit are seen. */
const APPLIED_MS = 20;

/** Handles most requests to the table, refuses some, and loses the responses of some. */
async function mishandled<T>(
  { time, oracle, receiver, commits, isRough, rate }: World,
  random: Random,
  handle: () => Promise<T>,
  dates: readonly string[],
): Promise<T> {
  const mishap = random.chance(isRough ? rate / 5 : 0)
    ? random.pick(['throttled', 'lost', 'repeated'])
    : 'none';
  if (mishap === 'throttled') throw new TableUnavailableError('throttled');
  const handled = async () => {
    const answer = await time.during(handle());
    // Checked before time passes, because a figure must not be wrong for a moment either.
    for (const date of dates) {
      const [, day, noted] = /^event#(.*)#(\d+)$/.exec(date) ?? [];
      if (day) receiver.note(day, Number(noted));
    }
    for (const date of dates) {
      const [, day] = /^progress#(.*)$/.exec(date) ?? [];
      if (day) await time.during(oracle.checkSums(day));
    }
    for (const date of dates.filter((one) => /^\d/.test(one))) {
      const revision = await time.during(oracle.checkDay(date));
      if (revision !== undefined) receiver.expect(date, revision);
    }
    return answer;
  };
  const answer = await handled();
  if (mishap === 'lost') throw new TableUnavailableError('the connection broke');
  // Like a client that retries after a lost response.
  if (mishap !== 'repeated') return answer;
  if (dates.length > 0) commits.repeated += 1;
  return handled();
}
