import fc from 'fast-check';
import { chainNames } from '../../lambda/chains/chains.ts';
import { addDays } from '../../lambda/chains/utc-day.ts';
import { daysOf, queryOf, type View, viewOf } from '../../web/view.ts';

const TODAY = '2026-11-21';

const views = fc.record<View>({
  chains: fc.subarray([...chainNames]),
  metric: fc.constantFrom('fees', 'transaction_count'),
  start_date: fc.nat(4_000).map((days) => addDays('2015-07-30', days)),
  end_date: fc.nat(1_600).map((days) => addDays('2026-07-30', days)),
  isLog: fc.boolean(),
  hasAverage: fc.boolean(),
});

test('a link shows the same view, whenever it is opened', () => {
  fc.assert(fc.property(views, (view) => expect(viewOf(queryOf(view), '2031-01-01')).toEqual(view)));
});

test('the address can be read, and changed by hand', () => {
  const view = viewOf('', TODAY);
  expect(queryOf({ ...view, isLog: true, hasAverage: true })).toBe(
    'chains=ETHEREUM,BASE&metric=fees&start_date=2026-10-22&end_date=2026-11-20&scale=log&average=7',
  );
});

test('who has chosen nothing sees two chains of one coin, and the 30 days before today', () => {
  expect(viewOf('', TODAY)).toEqual({
    chains: ['ETHEREUM', 'BASE'],
    metric: 'fees',
    start_date: '2026-10-22',
    end_date: '2026-11-20',
    isLog: false,
    hasAverage: false,
  });
});

test.each([
  'chains=ETHEREUM,BASE,SOLANA',
  'chains=SOLANA',
  'metric=toString',
  'metric=',
  'start_date=2026-11-01',
  'start_date=2026-02-30&end_date=2026-03-01',
  'start_date=2026-11-10&end_date=2026-11-09',
  'start_date=today&end_date=2026-11-09',
  'start_date=2015-07-29&end_date=2026-11-09',
  'start_date=2026-11-01&end_date=2026-11-22',
  'scale=other&average=30',
  'key=secret',
])('%s, where it is not valid, is as if it had not been chosen', (query) => {
  expect(viewOf(`?${query}`, TODAY)).toEqual(viewOf('', TODAY));
});

test('no text at all makes a view that cannot be asked for', () => {
  fc.assert(
    fc.property(fc.webQueryParameters(), (query) => {
      const view = viewOf(query, TODAY);
      expect(viewOf(queryOf(view), TODAY)).toEqual(view);
      expect(view.start_date <= view.end_date).toBe(true);
    }),
  );
});

test.each([
  ['7 days', '2026-11-14'],
  ['a year', '2025-11-21'],
  ['all', '2020-08-29'],
] as const)('%s ends yesterday and begins %s', (preset, start_date) => {
  expect(daysOf(preset, ['BSC', 'BASE'], TODAY)).toEqual({ start_date, end_date: '2026-11-20' });
});

test('all days of no chain are one', () => {
  expect(daysOf('all', [], TODAY)).toEqual({ start_date: '2026-11-20', end_date: '2026-11-20' });
});
