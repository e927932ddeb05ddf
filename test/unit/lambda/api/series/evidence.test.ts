import { chainStore, type Table } from '#core/store/table/table.ts';
import { dayFigures, provenance } from '#test/support/generators/blocks/builders.ts';
import { archivedProvenance, archiveOrigin } from '#test/support/generators/rows/archived-days.ts';
import { KEY, useApi } from '#test/support/servers/service.ts';
import { putDay, refreshCoverage } from '#test/support/tables/put-day.ts';

async function fill(table: Table) {
  const bsc = chainStore(table, 'BSC');
  const isVoid = archiveOrigin({ name: 'a\u202e"b"\r\n', void_since: '2025-11-22T00:00:00.000Z' });
  await putDay(bsc, dayFigures('2025-11-01'), archivedProvenance());
  await putDay(bsc, dayFigures('2025-11-02'), archivedProvenance(isVoid));
  await putDay(bsc, dayFigures('2025-11-03'), provenance({ evidence: 'checked' }));
  await putDay(bsc, dayFigures('2025-11-04'), provenance());
  await refreshCoverage(bsc, '2025-11-01');
  const base = chainStore(table, 'BASE');
  await putDay(base, dayFigures('2025-11-04'), provenance());
  await refreshCoverage(base, '2025-11-04');
}

const { url } = useApi(fill, { BSC: '2025-11-01', BASE: '2025-11-04' });

const get = (path: string, query: object = {}, headers = {}) => {
  const all = { chain: 'BSC', start_date: '2025-11-01', end_date: '2025-11-04', ...query };
  return fetch(`${url()}/api/chain-insights/${path}?${new URLSearchParams(all)}`, {
    headers: { 'X-API-Key': KEY, ...headers },
  });
};
const datesOf = async (answer: Response) =>
  ((await answer.json()) as { date: string }[]).map(({ date }) => date);

test.each(['transaction_count', 'fees'])(
  '%s counts the archived days of a range in a header',
  async (path) => {
    const all = await get(path);
    expect(all.headers.get('X-Days-Archived')).toBe('2');
    expect(all.headers.get('X-Days-Missing')).toBe('0');
    expect(await datesOf(all)).toHaveLength(4);
    expect((await get(path, { start_date: '2025-11-02' })).headers.get('X-Days-Archived')).toBe('1');
    expect((await get(path, { start_date: '2025-11-03' })).headers.has('X-Days-Archived')).toBe(false);
    expect((await get(path, { interval: 'hour' })).headers.has('X-Days-Archived')).toBe(false);
    expect((await get(path, { chain: 'BASE' })).headers.has('X-Days-Archived')).toBe(false);
  },
);

test.each([
  ['transaction_count', 'checked', ['2025-11-03', '2025-11-04']],
  ['fees', 'proven', ['2025-11-04']],
  ['days', 'PROVEN', ['2025-11-04']],
  ['days', 'checked', ['2025-11-03', '2025-11-04']],
])('%s with evidence=%s leaves weaker days out and counts them as missing', async (path, evidence, dates) => {
  const answer = await get(path, { evidence });
  expect(answer.headers.get('X-Days-Missing')).toBe(String(4 - dates.length));
  expect(answer.headers.has('X-Days-Archived')).toBe(false);
  expect(await datesOf(answer)).toEqual(dates);
});

test('the same range has another entity tag for each evidence, and the plain one names none', async () => {
  const tags = await Promise.all(
    [{}, { evidence: 'proven' }, { evidence: 'checked' }].map(async (query) =>
      (await get('fees', query)).headers.get('ETag'),
    ),
  );
  expect(new Set(tags).size).toBe(3);
  const proven = await get('fees', { evidence: 'proven' }, { 'If-None-Match': String(tags[1]) });
  expect(proven.status).toBe(304);
});

test('a period is left out if the evidence of one of its days is too weak', async () => {
  const quarters = (evidence: object) =>
    get('fees', { start_date: '2025-11-03', interval: 'week', end_date: '2025-11-09', ...evidence });
  expect((await quarters({ evidence: 'proven' })).status).toBe(200);
  expect(await datesOf(await quarters({ evidence: 'proven' }))).toEqual([]);
});

test('/days shows the archive and its audit, in JSON and in CSV, and a void one as such', async () => {
  const [first, second] = (await (await get('days')).json()) as Record<string, unknown>[];
  expect(first).toMatchObject({ evidence: 'archived', archive: archiveOrigin() });
  expect(first).not.toHaveProperty('median_fee');
  expect(second).toMatchObject({ archive: { void_since: '2025-11-22T00:00:00.000Z' } });
  const csv = await (await get('days', {}, { Accept: 'text/csv' })).text();
  const [head = '', line = '', next = ''] = csv.split('\r\n');
  expect(head).toContain('archive,archive_file,archive_audit');
  expect(line).toContain('"300 of 300 ranges drawn from 60,000 were equal."');
  // The name of an imported file cannot end its line or reorder it.
  expect(next).toContain(',"a ""b"" ",');
});

test('/chains counts archived days apart, and none of them as missing', async () => {
  const answer = await fetch(`${url()}/api/chain-insights/chains`, { headers: { 'X-API-Key': KEY } });
  const rows = (await answer.json()) as { chain: string }[];
  expect(rows.find(({ chain }) => chain === 'BSC')).toMatchObject({
    days_by_evidence: { proven: 1, checked: 1, archived: 2 },
  });
  expect(rows.find(({ chain }) => chain === 'BASE')).toMatchObject({
    days_by_evidence: { proven: 1, checked: 0 },
  });
});
