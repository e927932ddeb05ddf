import { coverageOf, coverageSummary, coverageText, groupByText, listDays } from '#web/model/coverage.ts';

const range = { start_date: '2026-11-01', end_date: '2026-11-10' };
const dayOf = (date: string) => ({ start_date: date, end_date: date });
const covered = ['2026-11-03', '2026-11-04', '2026-11-06', '2026-11-08'].map(dayOf);
const final = { first: '2026-11-03', last: '2026-11-08', waiting: 1 };

test('tells missing days from days before the first figure and days after the last', () => {
  expect(coverageOf('BASE', range, covered, final)).toEqual({
    chain: 'BASE',
    unread: [{ start_date: '2026-11-01', end_date: '2026-11-02' }],
    missing: [dayOf('2026-11-05'), dayOf('2026-11-07')],
    pending: [{ start_date: '2026-11-09', end_date: '2026-11-10' }],
    withoutFigure: [],
    waiting: 1,
    isBeforeChain: false,
    hasNoPeriod: false,
  });
});

test('expects no day before the first day of the chain', () => {
  const early = { start_date: '2023-06-10', end_date: '2023-06-16' };
  const rows = ['2023-06-15', '2023-06-16'].map(dayOf);
  const coverage = coverageOf('BASE', early, rows, { first: '2023-06-15', last: '2026-11-08' });
  expect([coverage.unread, coverage.missing, coverage.pending]).toEqual([[], [], []]);
});

test('says only that the chain began later when the range is before its first day', () => {
  const before = { start_date: '2020-01-01', end_date: '2020-01-31' };
  const coverage = coverageOf('BASE', before, [], final);
  expect(coverageSummary([coverage], 'day')).toEqual({ text: 'Before these chains began', isMissing: false });
  expect(coverageText(coverage)).toBe('began after this range.');
});

test('tells a range without a complete period from one before the chain began', () => {
  const none = { start_date: '2026-11-11', end_date: '2026-11-10' };
  const coverage = coverageOf('BASE', none, [], { ...final, rangeEnd: '2026-11-10' });
  expect(coverageSummary([coverage], 'year')).toEqual({
    text: 'No complete year in this range',
    isMissing: false,
  });
  expect(coverageText(coverage)).toBe('has no complete period in this range.');
});

test('a chain without any final day has nothing missing yet', () => {
  const coverage = coverageOf('BASE', range, [], { first: undefined, last: undefined });
  expect(coverage).toMatchObject({ missing: [], pending: [], unread: [range] });
});

test('counts and lists days of several chains', () => {
  const coverage = coverageOf('BASE', range, covered, final);
  expect(coverageSummary([coverage, coverage], 'day')).toEqual({
    text: '4 days missing, 4 days not final yet, 2 days waiting, figures from 2026-11-03',
    isMissing: true,
  });
  expect(coverageText(coverage)).toBe(
    'missing: 2026-11-05, 2026-11-07; not final yet: 2026-11-09 to 2026-11-10; ' +
      '1 day waiting for the day after; no figure before 2026-11-03.',
  );
  expect(coverageText({ ...coverage, missing: [], pending: [], waiting: 0, unread: [] })).toBe('complete.');
});

test('counts no waiting day where every day of the range has a figure', () => {
  const coverage = coverageOf('BASE', dayOf('2026-11-06'), [dayOf('2026-11-06')], final);
  expect(coverageSummary([coverage], 'day')).toEqual({ text: 'No day missing', isMissing: false });
  expect(coverageText(coverage)).toBe('complete.');
});

test('counts final days without the figure apart from missing ones, and lists them as stretches', () => {
  const withoutFigure = ['2026-11-03', '2026-11-04', '2026-11-08'].map(dayOf);
  const coverage = coverageOf('BASE', range, [range], { ...final, withoutFigure });
  expect(coverageSummary([coverage], 'day')).toEqual({
    text: 'No day missing, 3 days without this figure',
    isMissing: false,
  });
  expect(coverageText(coverage)).toBe('final without this figure: 2026-11-03 to 2026-11-04, 2026-11-08.');
});

test('names missing days first, then days that are not final yet, and other chains together', () => {
  const complete = {
    missing: [],
    pending: [],
    withoutFigure: [],
    waiting: 0,
    unread: [],
    isBeforeChain: false,
    hasNoPeriod: false,
  };
  const groups = groupByText(
    [
      { chain: 'ETHEREUM', ...complete },
      { chain: 'POLYGON', ...complete, pending: [dayOf('2026-11-09')] },
      { chain: 'BSC', ...complete },
      { chain: 'BASE', ...complete, missing: [dayOf('2026-11-05')] },
    ],
    coverageText,
  );
  expect([...groups]).toEqual([
    ['missing: 2026-11-05.', ['BASE']],
    ['not final yet: 2026-11-09.', ['POLYGON']],
    ['complete.', ['ETHEREUM', 'BSC']],
  ]);
});

test('counts months when periods are months', () => {
  const missing = [{ start_date: '2026-01-01', end_date: '2026-02-28' }];
  const coverage = {
    chain: 'BASE',
    missing,
    pending: [],
    withoutFigure: [],
    waiting: 0,
    unread: [],
    isBeforeChain: false,
    hasNoPeriod: false,
  } as const;
  expect(coverageSummary([coverage], 'month').text).toBe('2 months missing');
  expect(coverageSummary([{ ...coverage, missing: [] }], 'month').text).toBe('No month missing');
});

test('lists single days and stretches', () => {
  expect(listDays([dayOf('2026-11-03'), range])).toBe('2026-11-03, 2026-11-01 to 2026-11-10');
});
