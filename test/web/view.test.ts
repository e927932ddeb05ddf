import fc from 'fast-check';
import { chainNames } from '../../lambda/chains/chains.ts';
import { addDays } from '../../lambda/chains/utc-day.ts';
import { formatView, parseView, presetDays, type View } from '../../web/view.ts';

const TODAY = '2026-11-21';

const views = fc.record<View>({
  chains: fc.subarray([...chainNames]),
  metric: fc.constantFrom('fees', 'transaction_count'),
  start_date: fc.nat(4_000).map((days) => addDays('2015-07-30', days)),
  end_date: fc.nat(1_600).map((days) => addDays('2026-07-30', days)),
  isLog: fc.boolean(),
  hasAverage: fc.boolean(),
});

test('parsing a formatted view returns the same view', () => {
  fc.assert(fc.property(views, (view) => expect(parseView(formatView(view), '2031-01-01')).toEqual(view)));
});

test('formats a view as a readable query string', () => {
  const view = parseView('', TODAY);
  expect(formatView({ ...view, isLog: true, hasAverage: true })).toBe(
    'chains=ETHEREUM,BASE&metric=fees&start_date=2026-10-22&end_date=2026-11-20&scale=log&average=7',
  );
});

test('defaults to two chains with one coin and the 30 days before today', () => {
  expect(parseView('', TODAY)).toEqual({
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
])('%s falls back to the default', (query) => {
  expect(parseView(`?${query}`, TODAY)).toEqual(parseView('', TODAY));
});

test('parses any query string into a valid view', () => {
  fc.assert(
    fc.property(fc.webQueryParameters(), (query) => {
      const view = parseView(query, TODAY);
      expect(parseView(formatView(view), TODAY)).toEqual(view);
      expect(view.start_date <= view.end_date).toBe(true);
    }),
  );
});

test.each([
  ['7 days', '2026-11-14'],
  ['a year', '2025-11-21'],
  ['all', '2020-08-29'],
] as const)('the preset %s ends yesterday and begins %s', (preset, start_date) => {
  expect(presetDays(preset, ['BSC', 'BASE'], TODAY)).toEqual({ start_date, end_date: '2026-11-20' });
});

test('the preset all without a chain is a single day', () => {
  expect(presetDays('all', [], TODAY)).toEqual({ start_date: '2026-11-20', end_date: '2026-11-20' });
});
