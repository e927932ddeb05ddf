import TestSequencer from '@jest/test-sequencer';

/** Files that take many seconds of a worker, the longest first. */
const LONG = [
  'simulation/simulation',
  'web/explorer',
  'cli/commands/ingest',
  'cli/commands/restate',
  'docs/clients',
  'lib/checks',
  'bin/local',
  'bin/faulty-nodes',
  'lambda/ingest/ingest-days',
];

/** @param {{ readonly path: string }} test */
function placeOf({ path }) {
  const place = LONG.findIndex((name) => path.endsWith(`test/${name}.test.ts`));
  return place < 0 ? LONG.length : place;
}

/**
 * The order where jest knows no times of an earlier run, as on a clean checkout. By itself it begins with the biggest files, and two
 * small ones would go on for 40 s after all others.
 */
export default class LongestFirst extends TestSequencer {
  /** @param {Parameters<TestSequencer['sort']>[0]} tests */
  sort(tests) {
    const sorted = super.sort(tests);
    const isKnown = sorted.some(({ duration }) => duration);
    return isKnown ? sorted : sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
