import {
  dayRow,
  hourRow,
  publicDayShape,
  publicTotalsShape,
  publicVersionsShape,
} from '#core/rows/day-row.ts';
import { listConflicts } from '#core/store/chain/conflicts.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { listCheckpoints } from '#core/store/days/checkpoints.ts';
import { dayReader } from '#core/store/days/day-reader.ts';
import { queryDays } from '#core/store/days/days.ts';
import { getDetails } from '#core/store/days/details.ts';
import { hourReader } from '#core/store/days/hour-reader.ts';
import { listRestatements } from '#core/store/days/restatements.ts';
import { listUnsentEvents } from '#core/store/days/unsent-events.ts';
import { listWaitingDays } from '#core/store/days/waiting-days.ts';
import type { ChainReader } from '#core/store/table/table.ts';

const [FIRST, LAST] = ['0000-01-01', '9999-12-31'];
const readPublicDays = dayReader(publicDayShape);
const readHours = hourReader(publicTotalsShape, publicVersionsShape);

/** Reads all that runs and requests read of a chain's rows. */
export async function readRows(store: ChainReader) {
  const days = await queryDays(store, FIRST, LAST);
  return {
    days,
    details: await Promise.all(days.map(({ day }) => getDetails(store, { day, revision: 1 }))),
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
