import type { Context } from 'aws-lambda';
import { addDays, dayOf } from '#core/figures/calendar.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { saveConflict } from '#core/store/chain/conflicts.ts';
import { saveLag } from '#core/store/chain/coverage.ts';
import { saveSchedule } from '#core/store/chain/schedule.ts';
import type { ItemKey } from '#core/store/table/keys.ts';
import { chainStore, type TableReader } from '#core/store/table/table.ts';
import { blockAt } from '#test/support/generators/blocks/builders.ts';
import { restatedDay, storedDay } from '#test/support/generators/rows/stored-days.ts';
import { errorsOf, headerErrorsOf, readOperations } from '#test/support/openapi.ts';
import { apiEvent } from '#test/support/servers/api-event.ts';
import { KEY, useApi } from '#test/support/servers/service.ts';
import { putStoredDay, putWaitingDay, refreshCoverage } from '#test/support/tables/put-day.ts';

const CHAINS = '/api/chain-insights/chains';
const yesterday = addDays(dayOf(Date.now() / 1_000), -1);
const START = addDays(yesterday, -9);
const FORK = { name: 'jenner', at: '2026-12-08T02:30:00.000Z', host: 'a.example', followed: true };

const { table, url } = useApi(
  async (table) => {
    const store = chainStore(table, 'BSC');
    // The ingest starts two days later.
    await putStoredDay(table, storedDay({ date: addDays(START, -2) }), undefined);
    await putStoredDay(table, storedDay({ date: START, evidence: 'checked' }), undefined);
    await putStoredDay(table, restatedDay({ date: addDays(START, 1) }), undefined);
    const progress = startDayProgress(addDays(START, 5), blockAt(8));
    await putWaitingDay(store, { progress, next: blockAt(9), since: Date.now() });
    await refreshCoverage(store, START);
    await saveLag(store, { seconds_behind: 17, seen_at: new Date(Date.now()).toISOString() });
    await saveSchedule(store, { asked_at: '2026-11-28T00:00:00.000Z', forks: [FORK] });
    const since = Date.parse('2025-11-21T08:00:00Z');
    await saveConflict(store, { day: START, reason: 'a.example reports another block', since });
  },
  { BSC: START, POLYGON: START },
);

const send = () => fetch(`${url()}${CHAINS}`, { headers: { 'X-API-Key': KEY, Accept: 'text/csv' } });

test('answers with a row for each chain of the service, as JSON', async () => {
  const response = await send();
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('private');
  expect(await response.json()).toEqual([
    {
      chain: 'BSC',
      name: 'BNB Smart Chain',
      chain_id: 56,
      coin: 'BNB',
      first_day: '2020-08-29',
      first_final_day: addDays(START, -2),
      last_final_day: addDays(START, 1),
      missing_days: 9,
      waiting_days: 1,
      days_by_evidence: { proven: 2, checked: 1 },
      // When the day became final, not when it was restated.
      last_final_at: '2025-11-21T00:05:00.000Z',
      proven_block: null,
      seconds_behind: 17,
      scheduled: [FORK],
      conflicts: [{ date: START, since: '2025-11-21T08:00:00.000Z' }],
    },
    expect.objectContaining({
      chain: 'POLYGON',
      name: 'Polygon PoS',
      missing_days: 10,
      waiting_days: 0,
      proven_block: null,
      seconds_behind: null,
      scheduled: [],
    }),
  ]);
});

const documented = () => readOperations().find(({ path }) => path === CHAINS)?.responses[200];
const responseSchema = () => documented()?.content['application/json']?.schema ?? {};

test('counts days with weaker evidence than the query demands as missing', async () => {
  const response = await fetch(`${url()}${CHAINS}?evidence=PROVEN`, { headers: { 'X-API-Key': KEY } });
  expect((await response.json())[0]).toMatchObject({
    missing_days: 10,
    days_by_evidence: { proven: 2, checked: 0 },
  });
});

test('answers as docs/openapi.json describes', async () => {
  const { headers = {}, content = {} } = documented() ?? {};
  const { schema = {}, example } = content['application/json'] ?? {};
  const response = await send();
  expect(headerErrorsOf(response, headers)).toEqual([]);
  expect(errorsOf(schema, await response.json())).toEqual([]);
  expect(errorsOf(schema, example)).toEqual([]);
});

test('an item that cannot be read makes only values of its own chain null, and is logged', async () => {
  const good = ((await (await send()).json()) as object[])[1];
  const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
  const { chainsHandler } = await import('#lambda/api/chains-handler.ts');
  const items = {
    coverage: { chain: 'BSC', date: 'coverage', revision: 'x' },
    lag: { chain: 'BSC', date: 'lag' },
  };
  const broken: TableReader = {
    ...table(),
    getItem: async (key) => {
      const { chain, date } = key as ItemKey;
      return chain === 'BSC' ? items[date as keyof typeof items] : table().getItem(key);
    },
  };
  const handler = chainsHandler(
    (['BSC', 'POLYGON'] as const).map((name) => ({ name, startDate: START })),
    broken,
  );
  const { body, statusCode } = await handler(apiEvent({}), {} as Context);
  const rows = JSON.parse(body);
  expect(statusCode).toBe(200);
  expect(rows).toEqual([
    {
      chain: 'BSC',
      name: 'BNB Smart Chain',
      chain_id: 56,
      coin: 'BNB',
      first_day: '2020-08-29',
      first_final_day: null,
      last_final_day: null,
      missing_days: null,
      waiting_days: null,
      days_by_evidence: null,
      last_final_at: null,
      proven_block: null,
      scheduled: [],
      seconds_behind: null,
      conflicts: [{ date: START, since: '2025-11-21T08:00:00.000Z' }],
    },
    good,
  ]);
  expect(errorsOf(responseSchema(), rows)).toEqual([]);
  const problem = (text: string) => expect.objectContaining({ message: expect.stringContaining(text) });
  expect(logged.mock.calls.flat()).toEqual([
    { chain: 'BSC', item: 'coverage', error: problem('from_day is missing or invalid') },
    { chain: 'BSC', item: 'lag', error: problem('seen_at is missing or invalid') },
  ]);
  logged.mockRestore();
});

test('reads each chain at most once a second', async () => {
  const { chainsHandler } = await import('#lambda/api/chains-handler.ts');
  const handler = chainsHandler([{ name: 'BSC', startDate: START }], table());
  const getItem = jest.spyOn(table(), 'getItem');
  for (let request = 0; request < 5; request++) {
    await handler({ httpMethod: 'GET', headers: {}, body: null } as never, {} as never);
  }
  expect(getItem).toHaveBeenCalledTimes(4);
  getItem.mockRestore();
});
