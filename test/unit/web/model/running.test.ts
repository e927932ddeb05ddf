import { dayRow } from '#test/support/generators/rows/day-rows.ts';
import type { RunningRow } from '#web/data/rows.ts';
import { countAmount } from '#web/model/amounts.ts';
import { hoursOf } from '#web/model/periods.ts';
import { changeText, isContinued, runningOf, soFarText } from '#web/model/running.ts';
import { parseView } from '#web/model/view.ts';

const TODAY = '2026-11-22';
const viewOf = (query: string) => parseView(`?chains=BASE&metric=transaction_count&${query}`, TODAY).view;
const view = viewOf('range=7d');

/** The running day through 03:12, with three hours of 12 transactions. */
const running: RunningRow = {
  chain: 'BASE',
  date: TODAY,
  through: { time: `${TODAY}T03:12:59.000Z` },
  transaction_count: 40,
  hours: hoursOf(TODAY)
    .slice(0, 3)
    .map((date) => ({ date, transaction_count: 12 })),
};
const yesterday = hoursOf('2026-11-21').map((date) => dayRow(date, { transaction_count: 10 }));

test('has the figure through the last block, and compares only hours that are over', () => {
  const one = runningOf({ running, yesterday }, view, TODAY);
  expect(one).toEqual({ amount: countAmount(40), time: '03:12', change: { by: 0.2, until: '03:00' } });
});

test('compares nothing without each of the same hours of yesterday, or with those of another day', () => {
  const dayBefore = hoursOf('2026-11-20').map((date) => dayRow(date));
  for (const hours of [undefined, [], yesterday.slice(1), dayBefore])
    expect(runningOf({ running, yesterday: hours }, view, TODAY)).toEqual({
      amount: countAmount(40),
      time: '03:12',
    });
  const { hours: _, ...noHours } = running;
  expect(runningOf({ running: noHours, yesterday }, view, TODAY)).not.toHaveProperty('change');
});

test('compares nothing with hours of 0', () => {
  const silent = yesterday.map(({ date }) => dayRow(date, { transaction_count: 0 }));
  expect(runningOf({ running, yesterday: silent }, view, TODAY)).not.toHaveProperty('change');
});

test('is not known without a final block, of another day, or without the figure', () => {
  const { through: _, ...waiting } = running;
  for (const row of [undefined, waiting, { ...running, date: '2026-11-21' }])
    expect(runningOf({ running: row }, view, TODAY)).toBeUndefined();
  expect(runningOf({ running }, viewOf('metric=gas_used'), TODAY)).toBeDefined();
  expect(runningOf({ running }, { ...view, figure: 'gas_used' }, TODAY)).toBeUndefined();
});

test('continues days that end yesterday, but no other periods, and no dollars', () => {
  expect(isContinued(view, TODAY)).toBe(true);
  const others = ['start_date=2026-11-01&end_date=2026-11-20', 'range=7d&interval=week'];
  for (const query of others) expect(isContinued(viewOf(query), TODAY)).toBe(false);
  expect(isContinued({ ...view, figure: 'fees_usd' }, TODAY)).toBe(false);
});

test('says until when chains are counted, and how hours compare', () => {
  expect(soFarText([{ time: '14:37' }, { time: '14:37' }])).toBe('so far, 14:37 UTC');
  expect(soFarText([{ time: '14:37' }, { time: '14:20' }])).toBe('so far, 14:20 to 14:37 UTC');
  const texts = [0.12, -0.034, 0.0004, 14].map((by) => changeText({ by, until: '14:00' }));
  expect(texts).toEqual([
    '12% more than yesterday until 14:00',
    '3.4% less than yesterday until 14:00',
    'as much as yesterday until 14:00',
    '1,400% more than yesterday until 14:00',
  ]);
});
