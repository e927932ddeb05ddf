import { inMemory } from '#bench/ingest/node/era-files.ts';
import { chainOf } from '#core/chains/chains.ts';
import type { BlockFileName } from '#core/era/file-name.ts';
import { runEraFile } from '#core/era/ingest-files.ts';
import { joinEraFiles } from '#core/era/join-files.ts';
import { UnreadableError } from '#core/era/source.ts';
import { readEraFile } from '#core/era/sum-file.ts';
import { probeEndpoints } from '#core/ingest/probe-endpoints.ts';
import { queryDays } from '#core/store/days.ts';
import type { EraSums } from '#core/store/era-sums.ts';
import { fastClock } from '#test/support/clock.ts';
import { eraName } from '#test/support/generators/era-name.ts';
import { ERA_DAYS, eraScene } from '#test/support/generators/era-scene.ts';
import { answerFrom } from '#test/support/generators/sample-chain.ts';
import { type NodeAnswer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { requestContextWith, upstreamsOf } from '#test/support/nodes/source.ts';
import { useStore } from '#test/support/tables/table.ts';

/** The first day of the chain, and of its schedule. */
export const FROM = ERA_DAYS[0] ?? '';
/** Genesis is before its first day, as it is on the real chain. */
export const ETHEREUM = { ...chainOf('ETHEREUM'), firstDay: FROM };

export const unavailable = (() => ({ status: 503, body: '' })) satisfies NodeAnswer;

interface Given {
  /** The answers of one node each. */
  readonly answers?: readonly NodeAnswer[];
  readonly signal?: AbortSignal;
  /** Called when a file is opened; the run waits for it. */
  readonly onOpen?: (name: string) => Promise<unknown>;
  readonly files?: ReadonlyMap<string, Buffer>;
  readonly isProofRequired?: boolean;
}

/** Gives the tests of a file a table and the scene of era files. */
export function useEraRuns() {
  const { store } = useStore('ETHEREUM');
  const scene = eraScene();

  /** Runs over files, in this order, with two honest nodes; then joins all. */
  async function run(names: readonly string[], given: Given = {}) {
    const honest = answerFrom(scene.blocks);
    const { answers = [honest, honest], files = scene.files, signal, onOpen } = given;
    const { isProofRequired = false } = given;
    await using stack = new AsyncDisposableStack();
    const servers = await Promise.all(answers.map(startJsonRpcServer));
    for (const server of servers) stack.use(server);
    const upstreams = upstreamsOf(ETHEREUM, servers);
    const clock = fastClock();
    const probe = () => probeEndpoints(ETHEREUM, requestContextWith(), upstreams);
    const open = async ({ name }: BlockFileName) => {
      await onOpen?.(name);
      const bytes = files.get(name);
      if (!bytes) throw new UnreadableError('the mirror does not have it');
      return inMemory(bytes);
    };
    const source = { host: 'mirror.example', list: async () => [], open };
    const ends = [];
    for (const name of names.map(eraName)) {
      const sum = (begun?: EraSums) => readEraFile(source, { chain: ETHEREUM, name, clock, signal, begun });
      const context = { chain: ETHEREUM, store: store(), from: FROM, clock, probe, isProofRequired };
      ends.push(await runEraFile(context, name, sum));
    }
    const rules = { firstDay: FROM, from: FROM, now: clock.now(), isProofRequired };
    const joined = await joinEraFiles(store(), rules);
    return { ends, joined };
  }

  return {
    store,
    scene,
    run,
    storedDays: async () =>
      (await queryDays(store(), '0000-01-01', '9999-12-31')).map(({ day, totals, first, last }) => [
        day,
        first?.number,
        last.number,
        totals,
      ]),
    /** Day n has the blocks 3n + 1 to 3n + 3. */
    daysOfScene: (...days: readonly number[]) =>
      days.map((day) => [ERA_DAYS[day], 3 * day + 1, 3 * day + 3, scene.totalsOf(3 * day + 1, 3 * day + 3)]),
  };
}
