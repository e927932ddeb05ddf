import { listCheckpoints } from '#core/store/checkpoints.ts';
import { listConflicts } from '#core/store/conflicts.ts';
import { getCoverage } from '#core/store/coverage.ts';
import { dayReader } from '#core/store/day-reader.ts';
import {
  dayRow,
  hourRow,
  publicDayShape,
  publicTotalsShape,
  publicVersionsShape,
} from '#core/store/day-row.ts';
import { queryDays } from '#core/store/days.ts';
import { readDetails } from '#core/store/details.ts';
import { hourReader } from '#core/store/hour-reader.ts';
import { listRestatements } from '#core/store/restatements.ts';
import type { ChainReader } from '#core/store/table.ts';
import { listUnsentEvents } from '#core/store/unsent-events.ts';
import { listWaitingDays } from '#core/store/waiting-days.ts';

const [FIRST, LAST] = ['0000-01-01', '9999-12-31'];
const readPublicDays = dayReader(publicDayShape);
const readHours = hourReader(publicTotalsShape, publicVersionsShape);

/** Reads all that runs and requests read of a chain's rows. */
export async function readRows(store: ChainReader) {
  const days = await queryDays(store, FIRST, LAST);
  const detailsOf = await readDetails(store, { first: FIRST, last: LAST });
  return {
    days,
    details: days.map(({ day }) => detailsOf({ day, revision: 1 })),
    rows: (await readPublicDays(store, FIRST, LAST)).map(dayRow),
    hours: (await readHours(store, FIRST, LAST)).flatMap(({ hours }) => hours.map(hourRow)),
    coverage: await getCoverage(store),
    checkpoints: await listCheckpoints(store),
    restatements: await listRestatements(store),
    waiting: await listWaitingDays(store),
    unsent: await listUnsentEvents(store),
    conflicts: await listConflicts(store),
  };
}
