import { chainLabel, fileName, formatChange, fullTitle, viewTitle } from '#web/model/labels.ts';
import { parseView } from '#web/model/view.ts';

const { view } = parseView(
  '?chains=ETHEREUM,BSC&metric=fees&start_date=2026-11-18&end_date=2026-11-20',
  '2026-11-22',
);

test('titles name the figure, the period and the days', () => {
  expect(fullTitle(view)).toBe('Ethereum, BSC: Fees per day, 2026-11-18 to 2026-11-20');
  expect(
    viewTitle({ ...view, figure: 'user_transaction_count', interval: 'month', end_date: '2026-11-18' }),
  ).toBe('User transactions per month, 2026-11-18');
});

test.each([
  [0.0512, '+5.1%'],
  [-0.25, '−25.0%'],
  [0, '±0.0%'],
  [15.5, '+1,550%'],
  [undefined, '–'],
])('formats the change %p as %p', (change, text) => {
  expect(formatChange(change)).toBe(text);
});

test('file names hold the figure, the period, the chains and the days', () => {
  expect(fileName(view, 'csv')).toBe('chain-insights_fees_ETHEREUM_BSC_2026-11-18_2026-11-20.csv');
  expect(fileName({ ...view, interval: 'week' }, 'png')).toBe(
    'chain-insights_fees_week_ETHEREUM_BSC_2026-11-18_2026-11-20.png',
  );
});

test.each([
  ['ETHEREUM', 'Ethereum'],
  ['BSC', 'BSC'],
  ['WORLD_CHAIN', 'World Chain'],
  ['INK', 'Ink'],
  ['BOB', 'BOB'],
] as const)('the label of %s is %s', (chain, label) => {
  expect(chainLabel(chain)).toBe(label);
});
