import TestSequencer from '@jest/test-sequencer';

/** Slow files, the longest first. */
const LONG = [
  'unit/lambda/ingest.slow',
  'unit/core/days/ingest-days.slow',
  'unit/core/ingest/run',
  'whole/end-to-end',
  'unit/bin/local.slow',
  'unit/cli/commands/ingest.slow',
  'unit/cli/commands/restate.slow',
  'unit/lib/checks.slow',
  'unit/bin/package.slow',
  'unit/bin/launch.slow',
  'unit/cli/commands/verify.slow',
  'unit/lib/api/query-api',
  'unit/lib/bundle.slow',
  'unit/cli/commands/backfill.slow',
  'unit/cli/commands/import.slow',
  'simulation/simulation.slow',
  'unit/web/explorer.slow',
  'fuzz/fuzz.slow',
  'simulation/liars.slow',
  'whole/nodes/hostile-nodes.slow',
  'whole/docs/clients-elsewhere.slow',
  'unit/core/events/day-events.slow',
  'whole/proof/mutations.slow',
  'whole/docs/clients.slow',
  'whole/docs/recompute.slow',
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
