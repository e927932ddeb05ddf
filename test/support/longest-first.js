import TestSequencer from '@jest/test-sequencer';

/** Slow files, the longest first. */
const LONG = [
  'unit/bin/packages.slow',
  'unit/web/explorer.slow',
  'unit/cli/backfill/local.slow',
  'simulation/evidence.slow',
  'whole/ingest/forks.slow',
  'whole/lib/backfill-from-files.slow',
  'simulation/liars.slow',
  'whole/ingest/dollars.slow',
  'unit/lib/checks.slow',
  'unit/bin/local.slow',
  'whole/docs/recompute.slow',
  'unit/bin/launch.slow',
  'whole/era/layout.slow',
  'unit/lib/bundle',
  'unit/cli/history/open-file.slow',
  'whole/docs/clients-elsewhere.slow',
  'fuzz/fuzz.slow',
  'unit/web/reference/docs.slow',
  'whole/lib/replacements.slow',
  'whole/docs/clients.slow',
  'unit/core/finality/sync-committee/light-client.slow',
  'simulation/simulation.slow',
  'unit/local/service.slow',
  'whole/clients/hostile-servers.slow',
  'whole/web/pages.slow',
  'unit/core/anchor/committee.slow',
  'unit/core/finality/fast-finality/bep126.slow',
  'whole/end-to-end.slow',
  'unit/bin/cost-ceilings.slow',
  'unit/cli/commands/ingest.slow',
  'unit/core/events/day-events.slow',
  'whole/docs/history.slow',
  'whole/nodes/big-receipts.slow',
  'unit/cli/history/import.slow',
  'unit/lambda/ingest.slow',
  'unit/cli/commands/import.slow',
  'unit/bin/chain-insights.slow',
  'whole/nodes/shared-work.slow',
  'unit/core/blocks/era/read-blocks.slow',
  'unit/lib/chain-insights-stack.slow',
  'whole/proof/mutations.slow',
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
