import { allQueries, contains, queriesOf } from '#web/model/queries.ts';
import { parseView } from '#web/model/view.ts';

const TODAY = '2026-11-22';
const fields = ['date', 'fees', 'evidence', 'revision'];
const viewOf = (query: string) => parseView(`?chains=BASE&${query}`, TODAY).view;

test('days need one request per chain, and periods also the days of those that lack some', () => {
  const days = queriesOf(viewOf('start_date=2026-11-15&end_date=2026-11-21'), 'BASE', TODAY);
  expect(days.series).toEqual({
    chain: 'BASE',
    start_date: '2026-11-15',
    end_date: '2026-11-21',
    interval: 'day',
    fields,
  });
  expect(days.days).toEqual(days.series);
  const months = allQueries(viewOf('start_date=2025-11-22&end_date=2026-11-21&interval=month'), TODAY);
  expect(months.map(({ start_date, interval }) => [start_date, interval])).toEqual([
    ['2025-11-22', 'month'],
    // Each of the periods whole.
    ['2025-11-01', 'day'],
  ]);
  const years = allQueries(viewOf('start_date=2015-07-30&end_date=2026-11-21&interval=year'), TODAY);
  expect(years[1]).toMatchObject({ start_date: '2026-01-01', interval: 'day' });
});

test('hours also need the days of the range, to tell days without hours from missing ones', () => {
  const hours = allQueries(viewOf('start_date=2026-09-01&end_date=2026-11-21&interval=hour'), TODAY);
  expect(hours.map(({ start_date, interval }) => [start_date, interval])).toEqual([
    ['2026-09-01', 'hour'],
    ['2026-09-01', 'day'],
  ]);
});

test('days up to yesterday also need its hours, which those of today are compared with', () => {
  const hoursIn = (query: string) => queriesOf(viewOf(query), 'BASE', TODAY).hours;
  expect(hoursIn('range=90d')).toEqual({
    chain: 'BASE',
    start_date: '2026-11-21',
    end_date: '2026-11-21',
    interval: 'hour',
    fields,
  });
  // There are no hours of medians.
  for (const query of ['start_date=2026-11-01&end_date=2026-11-20', 'range=90d&metric=median_fee'])
    expect(hoursIn(query)).toBeUndefined();
});

test('requests a day of a link that is not in the range, and the 30 days before it', () => {
  const queries = allQueries(viewOf('start_date=2026-08-24&end_date=2026-11-21&day=BSC,2021-05-19'), TODAY);
  expect(queries).toContainEqual({
    chain: 'BSC',
    start_date: '2021-04-19',
    end_date: '2021-05-19',
    interval: 'day',
  });
  // To compare the chains of the view that day.
  expect(queries).toContainEqual(expect.objectContaining({ chain: 'BASE', end_date: '2021-05-19' }));
});

test('requests nothing for reversed days', () => {
  const view = { ...viewOf(''), start_date: '2026-11-10', end_date: '2026-11-01' };
  expect(allQueries(view, TODAY)).toEqual([]);
});

test('a query contains another of the same chain and period within its range', () => {
  const { series } = queriesOf(viewOf('start_date=2026-08-24&end_date=2026-11-21'), 'BASE', TODAY);
  const recent = { ...series, start_date: '2026-10-12' };
  expect([contains(series, recent), contains(recent, series)]).toEqual([true, false]);
  expect(contains({ ...series, chain: 'BSC' }, recent)).toBe(false);
  expect(contains({ ...series, interval: 'week' }, recent)).toBe(false);
});

test('a query with other fields is not contained, but one without fields has all of them', () => {
  const { fields: _, ...whole } = { ...queriesOf(viewOf(''), 'BASE', TODAY).series };
  const some = { ...whole, fields: ['date', 'fees'] };
  expect([contains(whole, some), contains(some, whole)]).toEqual([true, false]);
  expect(contains(some, { ...whole, fields: ['date'] })).toBe(true);
  expect(contains(some, { ...whole, fields: ['date', 'gas_used'] })).toBe(false);
});

test('asks for the figure that is shown, with what belongs to it, and for nothing else', () => {
  const fieldsOf = (metric: string) =>
    queriesOf(viewOf(`metric=${metric}`), 'BASE', TODAY).series.fields?.slice(1, -2);
  expect(['gas_used', 'fees_usd', 'median_fee'].map(fieldsOf)).toEqual([
    ['gas_used'],
    ['fees_usd', 'fees'],
    ['median_fee', 'p10_fee', 'p90_fee'],
  ]);
});
