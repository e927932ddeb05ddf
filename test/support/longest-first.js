import TestSequencer from '@jest/test-sequencer';

/** Slow files, the longest first. */
const LONG = [
  'end-to-end',
  'simulation/simulation.slow',
  'web/explorer',
  'cli/restate/all-checked',
  'lambda/ingest',
  'fuzz/fuzz.slow',
  'bin/local',
  'bin/hostile-nodes.slow',
  'cli/commands/ingest',
  'bin/faulty-nodes.slow',
  'support/misbehaving-node.slow',
  'lambda/proof/mutations.slow',
  'lib/checks',
  'docs/clients-elsewhere.slow',
  'cli/commands/restate',
  'docs/clients',
  'lib/service-function',
  'bin/launch',
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
