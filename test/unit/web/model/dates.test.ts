import { dayRow } from '#test/support/generators/day-rows.ts';
import type { ChainDays, DayRow } from '#web/data/api-client.ts';
import { datesOf, rangeOfDates, rowsWithin, viewCoverage } from '#web/model/dates.ts';
import { parseView } from '#web/model/view.ts';

const TODAY = '2026-11-22';
const { view } = parseView('?chains=ETHEREUM,BASE&start_date=2026-11-01&end_date=2026-11-21', TODAY);
const statusOf = (chain: 'ETHEREUM' | 'BASE', firstFinalDay: string) => ({
  chain,
  firstFinalDay,
  lastFinalDay: '2026-11-21',
  waitingDays: 0,
  secondsBehind: undefined,
});

/** Returns the coverage of Base where all final rows, or only those given, have the figure. */
const coverageOf = (
  days: ChainDays,
  shown: typeof view,
  first: string,
  drawn: readonly DayRow[] = days.rows,
) => viewCoverage({ chain: 'BASE', days, drawn }, shown, statusOf('BASE', first), TODAY);

test('the axis begins with the first figure of the service and ends with the range', () => {
  const dates = datesOf(view, [statusOf('ETHEREUM', '2026-11-05'), statusOf('BASE', '2026-11-10')], TODAY);
  expect([dates[0], dates.at(-1), dates.length]).toEqual(['2026-11-05', '2026-11-21', 17]);
});

test('the axis begins with the first day of a chain when nothing is known of the service', () => {
  const all = { ...view, chains: ['BASE'] as const, start_date: '2015-07-30' };
  expect(datesOf(all, [], TODAY)[0]).toBe('2023-06-15');
});

test('only whole periods are on the axis; that in which a chain began counts as whole', () => {
  const months = { ...view, interval: 'month', start_date: '2026-09-02', end_date: '2026-11-21' } as const;
  expect(datesOf(months, [], TODAY)).toEqual(['2026-10-01']);
  const first = { ...months, chains: ['BASE'] as const, start_date: '2023-06-10', end_date: '2023-07-31' };
  expect(datesOf(first, [], TODAY)).toEqual(['2023-06-01', '2023-07-01']);
  expect(datesOf({ ...first, start_date: '2023-06-16' }, [], TODAY)).toEqual(['2023-07-01']);
});

test('keeps the rows of a wider answer that are in the range', () => {
  const days = {
    rows: ['2026-10-31', '2026-11-01', '2026-11-21', '2026-11-22'].map((date) => dayRow(date)),
    dataThrough: undefined,
  };
  expect(rowsWithin('BASE', days, view).map(({ date }) => date)).toEqual(['2026-11-01', '2026-11-21']);
});

test('expects no period that the range cuts off', () => {
  const months = { ...view, interval: 'month', start_date: '2026-08-15', end_date: '2026-11-21' } as const;
  const days = { rows: [dayRow('2026-10-01')], dataThrough: '2026-11-21' };
  expect(coverageOf(days, months, '2026-08-01')).toMatchObject({
    missing: [{ start_date: '2026-09-01', end_date: '2026-09-30' }],
    pending: [],
    unread: [],
  });
});

test('expects no period in which the service began, and starts the axis after it', () => {
  const weeks = { ...view, interval: 'week', start_date: '2026-10-01' } as const;
  const began = statusOf('BASE', '2026-10-18');
  const rows = ['2026-10-19', '2026-10-26', '2026-11-02', '2026-11-09'].map((date) => dayRow(date));
  expect(coverageOf({ rows, dataThrough: '2026-11-21' }, weeks, '2026-10-18')).toMatchObject({
    missing: [],
    pending: [],
    unread: [{ start_date: '2026-10-05', end_date: '2026-10-18' }],
  });
  expect(datesOf({ ...weeks, chains: ['BASE'] }, [began], TODAY)[0]).toBe('2026-10-19');
});

test('expects the period in which both the chain and the service began', () => {
  const months = { ...view, interval: 'month', start_date: '2023-06-01', end_date: '2023-08-31' } as const;
  const days = { rows: [dayRow('2023-07-01')], dataThrough: '2026-11-21' };
  expect(coverageOf(days, months, '2023-06-15').missing).toEqual([
    { start_date: '2023-06-15', end_date: '2023-06-30' },
    { start_date: '2023-08-01', end_date: '2023-08-31' },
  ]);
});

describe('hours', () => {
  const hours: typeof view = { ...view, interval: 'hour', start_date: '2026-11-20' };

  test('each day of the range has 24 on the axis', () => {
    const dates = datesOf(hours, [], TODAY);
    expect([dates[0], dates[24], dates.at(-1), dates.length]).toEqual([
      '2026-11-20T00',
      '2026-11-21T00',
      '2026-11-21T23',
      48,
    ]);
  });

  test('of a wider answer are kept by their day', () => {
    const rows = ['2026-11-19T23', '2026-11-20T00', '2026-11-21T23'].map((date) => dayRow(date));
    const kept = rowsWithin('BASE', { rows, dataThrough: undefined }, hours);
    expect(kept.map(({ date }) => date)).toEqual(['2026-11-20T00', '2026-11-21T23']);
  });

  test('that a final day lacks do not make it a missing day', () => {
    const days = { rows: [dayRow('2026-11-20'), dayRow('2026-11-21')], dataThrough: '2026-11-21' };
    expect(coverageOf(days, hours, '2026-11-01', [dayRow('2026-11-21T00')])).toMatchObject({
      missing: [],
      withoutFigure: [{ start_date: '2026-11-20', end_date: '2026-11-20' }],
    });
  });

  test('zoom to their days', () => {
    expect(rangeOfDates('2026-11-20T13', '2026-11-21T02', 'hour')).toEqual({
      start_date: '2026-11-20',
      end_date: '2026-11-21',
    });
  });
});
