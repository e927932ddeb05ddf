import { toCsv } from '../../web/csv.ts';

const days = [
  { date: '2026-11-18', values: ['358.558440870590355682', undefined] },
  { date: '2026-11-19', values: ['0', '1.5'] },
];

test('formats one chain with the columns of the API', () => {
  expect(
    toCsv(
      'fees',
      ['ETHEREUM'],
      days.map(({ date, values }) => ({ date, values: values.slice(0, 1) })),
    ),
  ).toBe('date,fees\r\n2026-11-18,358.558440870590355682\r\n2026-11-19,0\r\n');
});

test('formats several chains with one column each, empty where no figure is final', () => {
  expect(toCsv('fees', ['ETHEREUM', 'BSC'], days)).toBe(
    'date,ETHEREUM_fees_ETH,BSC_fees_BNB\r\n2026-11-18,358.558440870590355682,\r\n2026-11-19,0,1.5\r\n',
  );
  expect(toCsv('transaction_count', ['BASE', 'BSC'], [])).toBe(
    'date,BASE_transaction_count,BSC_transaction_count\r\n',
  );
});
