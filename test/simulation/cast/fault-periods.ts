import { randomFrom } from '#test/support/generators/random/random.ts';
import { type FaultKind, faultKinds } from '#test/support/nodes/faults.ts';

const PERIOD_MS = 6 * 3_600_000;
const KINDS_ABOUT = 9;
const STORMS = 0.1;

/**
 * Faults of a node come and go: some kinds are active for a few hours, then others, each at the given rate. In an occasional
 * storm, all kinds are active, and few responses are valid.
 */
export function weatherOf(
  seed: number,
  node: string,
  now: () => number,
): (kind: FaultKind) => 'about' | 'away' {
  let period = Number.NaN;
  let about = new Set<FaultKind>();
  return (kind) => {
    const current = Math.floor(now() / PERIOD_MS);
    if (current !== period) {
      period = current;
      const random = randomFrom(seed, 'weather', node, period);
      const chance = random.chance(STORMS) ? 1 : KINDS_ABOUT / faultKinds.length;
      about = new Set(faultKinds.filter(() => random.chance(chance)));
    }
    return about.has(kind) ? 'about' : 'away';
  };
}
