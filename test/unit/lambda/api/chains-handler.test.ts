import { addDays, dayOf } from '#core/figures/calendar.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { saveConflict } from '#core/store/conflicts.ts';
import { refreshCoverage } from '#core/store/coverage.ts';
import { saveLag } from '#core/store/lag.ts';
import { putStoredDay } from '#core/store/stored-days.ts';
import { chainStore } from '#core/store/table.ts';
import { putWaitingDay } from '#core/store/waiting-days.ts';
import { blockAt, restatedDay, storedDay } from '#test/support/generators/stored-days.ts';
import { errorsOf, headerErrorsOf, readOperations } from '#test/support/openapi.ts';
import { KEY, useApi } from '#test/support/servers/service.ts';

const CHAINS = '/api/chain-insights/chains';
const yesterday = addDays(dayOf(Date.now() / 1_000), -1);
const START = addDays(yesterday, -9);

const { table, url } = useApi(
  async (table) => {
    const store = chainStore(table, 'BSC');
    // The ingest starts two days later.
    await putStoredDay(table, storedDay({ date: addDays(START, -2) }), 0);
    await putStoredDay(table, storedDay({ date: START, evidence: 'checked' }), 0);
    await putStoredDay(table, restatedDay({ date: addDays(START, 1) }), 0);
    const progress = startDayProgress(addDays(START, 5), blockAt(8));
    await putWaitingDay(store, { progress, next: blockAt(9), since: Date.now() });
    await refreshCoverage(store, START);
    await saveLag(store, { seconds: 17, seenAt: Date.now() });
    const since = Date.parse('2025-11-21T08:00:00Z');
    await saveConflict(store, { day: START, reason: 'a.example reports another block', since });
  },
  { BSC: START, POLYGON: START },
);

const send = (init: RequestInit = {}) =>
  fetch(`${url()}${CHAINS}`, { headers: { 'X-API-Key': KEY, Accept: 'text/csv' }, ...init });

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
      seconds_behind: 17,
      conflicts: [{ date: START, since: '2025-11-21T08:00:00.000Z' }],
    },
    expect.objectContaining({
      chain: 'POLYGON',
      name: 'Polygon PoS',
      missing_days: 10,
      waiting_days: 0,
      seconds_behind: null,
    }),
  ]);
});

test('answers as docs/openapi.json describes', async () => {
  const [operation] = readOperations().filter(({ path }) => path === CHAINS);
  const { headers = {}, content = {} } = operation?.responses[200] ?? {};
  const { schema = {}, example } = content['application/json'] ?? {};
  const response = await send();
  expect(headerErrorsOf(response, headers)).toEqual([]);
  expect(errorsOf(schema, await response.json())).toEqual([]);
  expect(errorsOf(schema, example)).toEqual([]);
});

test('needs a key', async () => {
  expect((await send({ headers: {} })).status).toBe(403);
});

test('answers HEAD, and no POST', async () => {
  const [head, post] = await Promise.all(['HEAD', 'POST'].map((method) => send({ method })));
  expect([head?.status, await head?.text()]).toEqual([200, '']);
  expect(post?.status).toBe(404);
});

test('reads each chain at most once a second', async () => {
  const { chainsHandler } = await import('#lambda/api/chains-handler.ts');
  const handler = chainsHandler([{ name: 'BSC', startDate: START }], table());
  const getItem = jest.spyOn(table(), 'getItem');
  for (let request = 0; request < 5; request++) {
    await handler({ httpMethod: 'GET', headers: {}, body: null } as never, {} as never);
  }
  expect(getItem).toHaveBeenCalledTimes(2);
  getItem.mockRestore();
});
