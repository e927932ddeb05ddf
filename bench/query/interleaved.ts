import { median } from '../ratio.ts';

/**
 * Runs several things by turns, so that what else the machine does meets all of them.
 * @returns the median of the processor time that each took, in milliseconds, with all threads of this process: that is what
 *   a machine with one core needs, and it does not depend on how busy this one is
 */
export async function interleaved<Name extends string>(
  repetitions: number,
  runs: Readonly<Record<Name, () => Promise<void>>>,
): Promise<(name: Name) => number> {
  const taken = new Map<string, number[]>();
  // The first of each warms up, and is not counted.
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
