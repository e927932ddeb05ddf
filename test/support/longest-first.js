import TestSequencer from '@jest/test-sequencer';

/** Slow files, the longest first. */
const LONG = [
  'unit/web/explorer.slow',
  'unit/bin/packages.slow',
  'unit/cli/backfill/local.slow',
  'simulation/evidence.slow',
  'whole/docs/clients.slow',
  'whole/docs/clients-elsewhere.slow',
  'unit/lib/checks.slow',
  'unit/bin/local.slow',
  'simulation/simulation.slow',
  'whole/docs/recompute.slow',
  'whole/ingest/forks.slow',
  'simulation/liars.slow',
  'fuzz/fuzz.slow',
  'unit/lib/bundle.slow',
  'unit/lambda/ingest.slow',
  'unit/bin/launch.slow',
  'unit/core/finality/sync-committee/light-client.slow',
  'whole/docs/history.slow',
  'whole/ingest/dollars.slow',
  'unit/web/reference/docs.slow',
  'whole/lib/backfill-from-files.slow',
  'whole/end-to-end.slow',
  'whole/nodes/hostile-nodes.slow',
  'unit/core/anchor/committee.slow',
  'whole/era/whole-file.slow',
  'whole/proof/mutations.slow',
  'unit/lib/chain-insights-stack.slow',
  'unit/core/days/prove-on.slow',
  'unit/core/ingest/run',
  'unit/lib/api/query-api.slow',
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
