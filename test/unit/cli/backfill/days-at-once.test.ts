import { daysWithin } from '#cli/backfill/days-at-once.ts';
import { parseStage } from '#lib/config.ts';

// Six chains. 50 requests a second take five executions.
const config = parseStage({ backfillDaysAtOnce: 20, requestsPerSecond: 50 }, 'stage', 'of a test');

test.each([
  ['all that the stage sets, where they fit', 31, 0, 20],
  ['what scheduled runs and requests leave', 30, 0, 19],
  ['what another backfill leaves', 30, 12, 7],
  ['one where all requests do not fit, but the API stays of use', 10, 0, 1],
  ['none where the API would not', 9, 0, 0],
  ['none where other backfills take everything', 30, 40, 0],
])('a backfill reads %s', (_, limit, others, days) => {
  expect(daysWithin(config, limit, others)).toBe(days);
});
