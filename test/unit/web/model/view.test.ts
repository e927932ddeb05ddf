import fc from 'fast-check';
import { type ChainName, chainNames } from '#core/chains/chains.ts';
import { addDays } from '#core/figures/calendar.ts';
import { type Figure, figures } from '#web/model/figures.ts';
import { intervalLabels, type ShownInterval } from '#web/model/periods.ts';
import {
  drawableView,
  formatView,
  type Mode,
  modes,
  parseView,
  replacedInterval,
  rolled,
  unavailableOptions,
  type View,
} from '#web/model/view.ts';

const TODAY = '2026-11-22';

const keysOf = <Key extends string>(of: Readonly<Record<Key, string>>) =>
  fc.constantFrom(...(Object.keys(of) as Key[]));
const chosenDays = fc.record({
  chain: fc.constantFrom(...chainNames),
  date: fc.nat(4_000).map((days) => addDays('2015-07-30', days)),
});
const views: fc.Arbitrary<View> = fc
  .record({
    chains: fc.subarray([...chainNames]),
    figure: keysOf<Figure>(figures),
    interval: keysOf<ShownInterval>(intervalLabels),
    start_date: fc.nat(4_000).map((days) => addDays('2015-07-30', days)),
    end_date: fc.nat(1_600).map((days) => addDays('2026-07-30', days)),
    mode: keysOf<Mode>(modes),
    isLog: fc.boolean(),
    hasAverage: fc.boolean(),
    hasEvents: fc.boolean(),
    isMorning: fc.boolean(),
    day: fc.option(chosenDays, { nil: undefined }),
  })
  .map(({ day, ...view }) => ({ ...view, ...(day && { day }) }));

test('parsing a formatted view returns the same view without problems', () => {
  fc.assert(
    fc.property(views, (view) =>
      expect(parseView(formatView(view), '2031-01-01')).toEqual({ view, problems: [] }),
    ),
  );
});

test('formats a view as a readable query string', () => {
  const { view } = parseView('', TODAY);
  expect(
    formatView({
      ...view,
      mode: 'indexed',
      isLog: true,
      hasAverage: true,
      hasEvents: false,
      day: { chain: 'BASE', date: '2026-11-20' },
    }),
  ).toBe(
    'chains=ETHEREUM,ARBITRUM,OPTIMISM,BASE&metric=fees&range=90d' +
      '&mode=indexed&scale=log&average=7&events=off&day=BASE,2026-11-20',
  );
});

test('a rolling range has the days of today, also after midnight; fixed days stay', () => {
  const { view } = parseView('range=7d', TODAY);
  expect(view).toMatchObject({ range: '7 days', start_date: '2026-11-15', end_date: '2026-11-21' });
  expect(rolled(view, addDays(TODAY, 1))).toMatchObject({ start_date: '2026-11-16', end_date: '2026-11-22' });
  const { view: fixed } = parseView('start_date=2026-11-15&end_date=2026-11-21', TODAY);
  expect(rolled(fixed, addDays(TODAY, 1))).toBe(fixed);
  expect(formatView(fixed)).toContain('start_date=2026-11-15&end_date=2026-11-21');
});

test('defaults to the fees of all chains with one coin over the 90 days before today', () => {
  expect(parseView('', TODAY)).toEqual({
    view: {
      chains: ['ETHEREUM', 'ARBITRUM', 'OPTIMISM', 'BASE'],
      figure: 'fees',
      interval: 'day',
      range: '90 days',
      start_date: '2026-08-24',
      end_date: '2026-11-21',
      mode: 'lines',
      isLog: false,
      hasAverage: false,
      hasEvents: true,
      isMorning: false,
    },
    problems: [],
  });
});

test.each([
  ['chains=ETHEREUM,SOLANA', 'This page does not know the chain SOLANA. It knows ETHEREUM, '],
  ['metric=toString', 'This page knows no metric “toString”. It shows “fees” instead.'],
  ['interval=minute', 'This page knows no interval “minute”. It shows “day” instead.'],
  ['range=99d', 'This page knows no range “99d”. It knows yesterday, 7d, '],
  ['chain=BASE', 'This page knows no parameter “chain” of the link.'],
  ['mode=pie', 'This page knows no mode “pie”. It shows “lines” instead.'],
  ['start_date=2026-11-01', 'This page cannot show the days “2026-11-01” to “” of the link: '],
  ['start_date=2026-02-30&end_date=2026-03-01', 'cannot show the days “2026-02-30” to “2026-03-01”'],
  [
    'start_date=2026-11-10&end_date=2026-11-09',
    'up to yesterday, the first one first. It shows 2026-08-24 to',
  ],
  ['start_date=2026-11-23&end_date=2026-11-30', 'cannot show the days “2026-11-23” to “2026-11-30”'],
  ['day=BASE,2026-11-22', 'The link names no valid day: “BASE,2026-11-22”. A valid one is BASE,2026-11-21.'],
])('explains the bad link %s', (query, problem) => {
  const { problems } = parseView(`?${query}`, TODAY);
  expect(problems).toEqual([expect.stringContaining(problem)]);
});

test('follows the valid part of a bad link', () => {
  expect(
    parseView('?chains=solana,base&start_date=2026-11-01&end_date=2027-01-01', TODAY).view,
  ).toMatchObject({ chains: ['BASE'], start_date: '2026-11-01', end_date: '2026-11-21' });
  expect(parseView('?chains=SOLANA', TODAY).view.chains).toHaveLength(4);
  expect(parseView('?chains=', TODAY)).toMatchObject({ view: { chains: [] }, problems: [] });
});

test('parses any query string into a valid view', () => {
  fc.assert(
    fc.property(fc.webQueryParameters(), (query) => {
      const { view } = parseView(query, TODAY);
      expect(parseView(formatView(view), TODAY)).toEqual({ view, problems: [] });
      expect(view.start_date <= view.end_date).toBe(true);
    }),
  );
});

describe('the drawable view', () => {
  const { view } = parseView('', TODAY);
  const drawn = (change: Partial<View>) => drawableView({ ...view, ...change });
  const quarter = { start_date: '2026-07-01', end_date: '2026-09-30' };

  test('has hours of 92 days, and days of a longer range', () => {
    expect(drawn({ ...quarter, interval: 'hour' }).interval).toBe('hour');
    const longer = { ...view, ...quarter, end_date: '2026-10-01' };
    expect(drawableView({ ...longer, interval: 'hour' }).interval).toBe('day');
    expect(unavailableOptions(longer)).toEqual({ hour: 'up to 92 days' });
    expect(drawableView({ ...longer, interval: 'week' }).interval).toBe('week');
  });

  test('has weeks of more than three years, whatever shorter period was chosen', () => {
    const long = { start_date: '2020-01-01', end_date: '2026-11-21' };
    expect(drawn(long).interval).toBe('week');
    expect(drawn({ ...long, interval: 'hour' }).interval).toBe('week');
    expect(drawn({ ...long, interval: 'month' }).interval).toBe('month');
    expect(drawn({ ...quarter, interval: 'day' }).interval).toBe('day');
  });

  test('stacks no medians, averages none and has none of hours', () => {
    const figure = 'median_fee';
    expect(drawn({ figure, mode: 'stacked', interval: 'hour', hasAverage: true })).toMatchObject({
      mode: 'lines',
      interval: 'day',
      hasAverage: false,
    });
    expect(drawn({ figure, mode: 'share' }).mode).toBe('lines');
    expect(drawn({ figure, mode: 'indexed' }).mode).toBe('indexed');
  });

  test('has an average of days only, and no logarithmic stack', () => {
    expect(drawn({ hasAverage: true }).hasAverage).toBe(true);
    expect(drawn({ hasAverage: true, interval: 'month' }).hasAverage).toBe(false);
    expect(drawn({ isLog: true, mode: 'indexed' }).isLog).toBe(true);
    expect(drawn({ isLog: true, mode: 'stacked' }).isLog).toBe(false);
  });
});

test('begins with the chains of the service: all of a few, else those in ether', () => {
  const chainsOf = (...offered: readonly ChainName[]) => parseView('', TODAY, offered).view.chains;
  expect(chainsOf('UNICHAIN')).toEqual(['UNICHAIN']);
  expect(chainsOf('BSC', 'POLYGON')).toEqual(['BSC', 'POLYGON']);
  expect(chainsOf('ARBITRUM', 'BSC', 'BASE', 'POLYGON', 'UNICHAIN')).toEqual(['ARBITRUM', 'BASE']);
  expect(chainsOf('BSC', 'POLYGON', 'UNICHAIN', 'WORLD_CHAIN', 'ARBITRUM_NOVA')).toEqual([
    'BSC',
    'POLYGON',
    'UNICHAIN',
    'WORLD_CHAIN',
  ]);
});

test.each([
  ['metric=median_fee&range=7d', 'no median'],
  ['metric=fees_usd&range=7d', 'no dollars'],
  ['start_date=2026-01-01&end_date=2026-06-01', 'up to 92 days'],
])('says that %s has no hours, and what it shows instead', (query, reason) => {
  const { view, problems } = parseView(`${query}&interval=hour`, TODAY);
  expect(problems).toEqual([]);
  expect(replacedInterval(view)).toEqual([
    `The interval “hour” is not possible here (${reason}). The page shows “day” instead.`,
  ]);
  expect(replacedInterval({ ...view, interval: 'week' })).toEqual([]);
});
