import type { ChainStore, Table } from '#core/store/table/table.ts';

type Writer = (store: ChainStore) => Promise<boolean>;

interface Interleaving {
  readonly store: ChainStore;
  readonly results: readonly boolean[];
}

/**
 * Runs writers at the same time, each time on a new store, once for every order in which they may read and write the item of a day and
 * its note to be priced. Everything else that they read and write is not held back.
 */
export async function* interleavings(
  open: () => Promise<ChainStore>,
  writers: readonly Writer[],
  day: string,
): AsyncGenerator<Interleaving> {
  // For each step, which of the writers that are not done continues, and how many there are.
  let choices: { readonly chosen: number; readonly among: number }[] = [];
  do {
    const store = await open();
    const runs = writers.map((write) =>
      startInSteps((pause) => write({ ...store, table: paced(store.table, day, pause) })),
    );
    const taken: typeof choices = [];
    await Promise.all(runs.map(({ stopped }) => stopped()));
    for (;;) {
      const ready = runs.filter(({ isDone }) => !isDone());
      if (ready.length === 0) break;
      const chosen = choices[taken.length]?.chosen ?? 0;
      taken.push({ chosen, among: ready.length });
      await ready[chosen]?.step();
    }
    yield { store, results: await Promise.all(runs.map(({ result }) => result)) };
    while (taken.length > 0 && (taken.at(-1)?.chosen ?? 0) + 1 === taken.at(-1)?.among) taken.pop();
    const last = taken.pop();
    choices = last ? [...taken, { ...last, chosen: last.chosen + 1 }] : [];
  } while (choices.length > 0);
}

/** Lets a table pause before each of these reads and writes. */
const paced = (table: Table, day: string, pause: () => Promise<void>): Table => ({
  ...table,
  getItem: async (key) => {
    if (isAbout(day, key)) await pause();
    return table.getItem(key);
  },
  putIf: async (item, condition) => {
    if (isAbout(day, item)) await pause();
    return table.putIf(item, condition);
  },
  deleteItem: async (key, condition) => {
    if (isAbout(day, key)) await pause();
    return table.deleteItem(key, condition);
  },
  async *queryPages(query) {
    if (query.ExpressionAttributeValues[':first'] !== undefined) await pause();
    yield* table.queryPages(query);
  },
});

const isAbout = (day: string, item: object) => 'date' in item && String(item.date).endsWith(day);

function startInSteps(run: (pause: () => Promise<void>) => Promise<boolean>) {
  let isDone = false;
  let goOn = () => {};
  let stop = Promise.withResolvers<void>();
  const result = run(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    goOn = resolve;
    stop.resolve();
    return promise;
  }).finally(() => {
    isDone = true;
    stop.resolve();
  });
  return {
    result,
    isDone: () => isDone,
    stopped: () => stop.promise,
    step: () => {
      stop = Promise.withResolvers();
      goOn();
      return stop.promise;
    },
  };
}
