import { dayRow, hourRow, publicDayShape } from '#core/rows/day-row.ts';
import { versionsShape } from '#core/store/attributes/day-attributes.ts';
import { totalsShape } from '#core/store/attributes/shared-attributes.ts';
import { listConflicts } from '#core/store/chain/conflicts.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { listCheckpoints, listRestatements } from '#core/store/days/checkpoints.ts';
import { dayReader } from '#core/store/days/day-reader.ts';
import { queryDays } from '#core/store/days/days.ts';
import { getDetails } from '#core/store/days/details.ts';
import { listUnsentEvents } from '#core/store/days/notes.ts';
import { listWaitingDays } from '#core/store/days/waiting-days.ts';
import type { ChainReader } from '#core/store/table/table.ts';
import { hourReader } from '#lambda/api/series/hours.ts';

const [FIRST, LAST] = ['0000-01-01', '9999-12-31'];
const readPublicDays = dayReader(publicDayShape);
const readHours = hourReader(totalsShape, versionsShape);

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
