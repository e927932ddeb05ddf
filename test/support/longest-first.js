import TestSequencer from '@jest/test-sequencer';

/** Slow files, the longest first. */
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
 * Orders the files when Jest has no times of an earlier run, as on a clean checkout. By default it starts with the largest files,
 * and two small ones would run for 40 s after all others.
 */
export default class LongestFirst extends TestSequencer {
  /** @param {Parameters<TestSequencer['sort']>[0]} tests */
  sort(tests) {
    const sorted = super.sort(tests);
    const isKnown = sorted.some(({ duration }) => duration);
    return isKnown ? sorted : sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
