import TestSequencer from '@jest/test-sequencer';

/** Slow files, the longest first. */
const LONG = [
  'lambda/ingest',
  'lambda/ingest/days',
  'lambda/ingest/run',
  'end-to-end',
  'bin/local.slow',
  'cli/commands/ingest',
  'cli/commands/restate.slow',
  'lib/checks.slow',
  'bin/launch.slow',
  'lambda/rpc/post',
  'cli/commands/verify',
  'lib/api/query-api',
  'lib/service-function.slow',
  'lambda/ingest/lies',
  'cli/commands/backfill',
  'cli/commands/import',
  'simulation/simulation.slow',
  'web/explorer.slow',
  'fuzz/fuzz.slow',
  'simulation/liars.slow',
  'bin/hostile-nodes.slow',
  'bin/faulty-nodes.slow',
  'bin/lying-nodes.slow',
  'docs/clients-elsewhere.slow',
  'lambda/events/day-events.slow',
  'support/misbehaving-node.slow',
  'lambda/proof/mutations.slow',
  'cli/restate/all-checked.slow',
  'docs/clients.slow',
  'docs/recompute.slow',
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
