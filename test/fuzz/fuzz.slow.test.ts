import fc from 'fast-check';
import { runTarget } from './run-target.ts';
import { fuzzTarget, must } from './target.ts';
import { fuzzTargets } from './targets.ts';

/** Enough to find each of the known faults again. Large cases are slow to make. */
const casesOf = (name: string) => (name.includes('16 MB') ? 5 : 200);

// First, because garbage of large cases that is collected during a small one counts as memory freed.
test('fails for a decoder that is slow, uses much memory, or misbehaves', async () => {
  const work = () => {
    for (const { user } = process.cpuUsage(); process.cpuUsage().user < user + 60_000; );
  };
  const run = (decode: () => unknown) =>
    runTarget(fuzzTarget('a decoder', fc.constant(1), decode), { cases: 1 }, 1, { ms: 50, mb: 20 });
  await expect(run(work)).rejects.toThrow(/property failed/i);
  await expect(run(() => Buffer.alloc(30 * 1024 ** 2, 1))).rejects.toThrow(/property failed/i);
  await expect(run(() => must(false, 'one is two'))).rejects.toThrow(/property failed/i);
});

test.each(fuzzTargets.map((target) => [target.name, target] as const))(
  '%s: no case misbehaves, or exceeds its bounds of time and memory',
  async (name, target) => {
    expect(await runTarget(target, { cases: casesOf(name) })).toMatchObject({ cases: casesOf(name) });
  },
);
