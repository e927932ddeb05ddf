import { fees, transactionCount } from '../../../lambda/api/metrics.ts';
import { NO_TOTALS } from '../../../lambda/chains/totals.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import { putDay } from '../../../lambda/store/days.ts';
import { hashOf, provenance } from '../../support/builders.ts';
import { useTable } from '../../support/table.ts';

const table = useTable();
const store = () => chainStore(table(), 'OPTIMISM');

beforeEach(async () => {
  const paid = { execution: 10n ** 18n, l1Data: 1n, operator: 1n, blob: 1n, retryableDoubleCount: 5n };
  const refunded = { execution: -3n, l1Data: 1n, operator: 1n, blob: 1n, retryableDoubleCount: 5n };
  for (const [day, transactions, fees] of [
    ['2026-11-18', 7, paid],
    ['2026-11-20', 0, refunded],
  ] as const) {
    const last = { number: 9, hash: hashOf(9) };
    const totals = { ...NO_TOTALS, transactions, fees };
    await putDay(store(), { day, totals, last, definitionVersion: 1 }, provenance());
  }
});

test('counts all transactions', async () => {
  expect(await transactionCount.read(store(), '2026-11-18', '2026-11-20')).toEqual([
    ['2026-11-18', 7],
    ['2026-11-20', 0],
  ]);
});

test('sums all parts of the fees but not the retryable double count, as an exact decimal', async () => {
  expect(await fees.read(store(), '2026-11-18', '2026-11-20')).toEqual([
    ['2026-11-18', '1.000000000000000003'],
    ['2026-11-20', '0'],
  ]);
});

test('reads only the days of the range', async () => {
  expect(await fees.read(store(), '2026-11-19', '2026-11-20')).toEqual([['2026-11-20', '0']]);
});
