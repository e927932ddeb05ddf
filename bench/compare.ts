import { isDeepStrictEqual } from 'node:util';
import { type Child, openChild } from './child.ts';
import type { Found } from './readers/reader.ts';

interface Readers {
  readonly baselines: typeof import('./readers/baselines.ts');
  readonly files: typeof import('./readers/files.ts');
  readonly ours: typeof import('./readers/ours.ts');
}

/** The module of a reader, and its options but the number of blocks. */
type Reader = {
  [Module in keyof Readers]: readonly [Module, Omit<Parameters<Readers[Module]['open']>[0], 'blocks'>];
}[keyof Readers];

const REPETITIONS = 21;
/** Proofs are compiled late: their times still fall after 20 repetitions, and a run of the service reads thousands of blocks. */
const WARM_UPS = 30;

/**
 * Repeats readers of the same blocks alternately, so that other load on this machine affects all of them.
 * @returns the least CPU time of each in milliseconds per block, for all threads of its process. Other virtual machines on the same core
 *   can only add to it. They added up to 70% here, and not the same share to each reader.
 * @throws Error when two find different transactions or fees, because their times are then not comparable
 */
export async function compare<Name extends string>(
  blocks: number,
  readers: Readonly<Record<Name, Reader>>,
): Promise<Record<Name, number>> {
  await using stack = new AsyncDisposableStack();
  const children: { name: string; child: Child<Found>; taken: number[] }[] = [];
  for (const [name, [module, options]] of Object.entries<Reader>(readers)) {
    const script = new URL(`readers/${module}.ts`, import.meta.url);
    const child = await openChild<object, Found>(script, { ...options, blocks });
    children.push({ name, child: stack.use(child), taken: [] });
  }
  let expected: Partial<Found> = {};
  for (let repetition = 0; repetition < WARM_UPS + REPETITIONS; repetition++) {
    for (const { name, child, taken } of children) {
      const { value, cpuMs } = await child.run();
      expected = { ...value, ...expected };
      if (!isDeepStrictEqual({ ...expected, ...value }, expected))
        throw new Error(`${name} finds other transactions or fees, so its time is not comparable.`);
      if (repetition >= WARM_UPS) taken.push(cpuMs / blocks);
    }
  }
  return Object.fromEntries(children.map(({ name, taken }) => [name, Math.min(...taken)])) as Record<
    Name,
    number
  >;
}
