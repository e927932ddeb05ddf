import { runTarget } from './run-target.ts';
import { fuzzTargets } from './targets.ts';

/** Enough to find each of the known faults again. Large cases are slow to make. */
const casesOf = (name: string) => (name.includes('16 MB') ? 5 : 200);

test.each(fuzzTargets.map((target) => [target.name, target] as const))(
  '%s: no case misbehaves, or exceeds its bounds of time and memory',
  async (name, target) => {
    expect(await runTarget(target, { cases: casesOf(name) })).toMatchObject({ cases: casesOf(name) });
  },
);
