import { chainStore } from '#core/store/table/table.ts';
import { environment } from '#lambda/environment.ts';
import { storedDay } from '#test/support/generators/rows/stored-days.ts';
import { KEY, useApi } from '#test/support/servers/service.ts';
import { putStoredDay, refreshCoverage } from '#test/support/tables/put-day.ts';

/* A service of development chains says so in each response. No other one does. */

const { url } = useApi(
  async (table) => {
    await putStoredDay(table, storedDay(), undefined);
    await refreshCoverage(chainStore(table, 'BSC'), storedDay().date);
  },
  { BSC: '2025-11-18', BASE: '2025-11-18' },
);

const markOf = async (path: string) => {
  const response = await fetch(`${url()}/api/chain-insights/${path}`, { headers: { 'X-API-Key': KEY } });
  expect(response.status).toBe(200);
  return response.headers.get('x-sample-data');
};
const range = 'start_date=2025-11-18&end_date=2025-11-18';
const paths = (chain: string) => [
  ...['transaction_count', 'fees', 'days', 'distribution'].map((path) => `${path}?chain=${chain}&${range}`),
  `today?chain=${chain}`,
];
const samples = async () => {
  const response = await fetch(`${url()}/api/chain-insights/chains`, { headers: { 'X-API-Key': KEY } });
  const rows = (await response.json()) as { chain: string; sample?: true }[];
  return rows.flatMap(({ chain, sample }) => (sample ? [chain] : []));
};

afterEach(() => {
  delete process.env[environment.sampleChains];
});

test('marks each response about an invented chain, and only those', async () => {
  process.env[environment.sampleChains] = 'BSC,POLYGON';
  for (const path of [...paths('BSC'), ...paths('BASE,BSC'), 'chains'])
    expect(await markOf(path)).toBe('true');
  for (const path of paths('BASE')) expect(await markOf(path)).toBeNull();
  expect(await samples()).toEqual(['BSC']);
});

test('marks nothing in a stage', async () => {
  for (const path of [...paths('BSC'), 'chains']) expect(await markOf(path)).toBeNull();
  expect(await samples()).toEqual([]);
});
