import { median } from '../ratio.ts';

/**
 * Runs several functions alternately, so that other load on this machine affects all of them.
 * @returns the median CPU time of each in milliseconds, for all threads of this process. Unlike elapsed time, it does not depend on
 *   the load.
 */
export async function interleaved<Name extends string>(
  repetitions: number,
  runs: Readonly<Record<Name, () => Promise<void>>>,
): Promise<(name: Name) => number> {
  const taken = new Map<string, number[]>();
  // The first repetition warms up and is not counted.
  for (let repetition = 0; repetition <= repetitions; repetition++) {
    for (const [name, run] of Object.entries<() => Promise<void>>(runs)) {
      const before = process.cpuUsage();
      await run();
      const { user, system } = process.cpuUsage(before);
      if (repetition > 0) taken.set(name, [...(taken.get(name) ?? []), (user + system) / 1_000]);
    }
  }
  return (name) => median(taken.get(name) ?? []);
}
