import fc from 'fast-check';
import { fromRow, toRow } from '../../../cli/rows/row.ts';
import { anyStoredDay, restatedDay, storedDay } from '../../support/stored-days.ts';

test('any day comes back from its row as it was, and its text does not depend on the order of its fields', () => {
  fc.assert(
    fc.property(anyStoredDay, (day) => {
      const text = JSON.stringify(toRow(day));
      const decoded = fromRow(JSON.parse(text));
      expect(decoded).toEqual({ day });
      const reversed = Object.fromEntries(Object.entries(day).toReversed());
      expect(JSON.stringify(toRow(reversed as typeof day))).toBe(text);
    }),
    { numRuns: 50 },
  );
});

test.each<[string, object, string]>([
  ['wei with a fraction', { execution_fees: '1.5' }, 'execution_fees: expected a whole number of wei'],
  [
    'wei as a number, which may have lost digits',
    { blob_fees: 7 },
    'blob_fees: expected a whole number of wei',
  ],
  ['negative wei', { blob_fees: '-7' }, 'blob_fees: expected a whole number of wei'],
  ['wei of 39 digits', { blob_fees: '9'.repeat(39) }, 'blob_fees: expected a whole number of wei'],
  ['a negative count', { transaction_count: -1 }, 'transaction_count: expected a whole number, 0 or more'],
  ['a count beyond what is exact', { block_count: 2 ** 53 }, 'block_count: expected a whole number'],
  ['a field that is missing', { last_block: undefined }, 'last_block: is missing'],
  ['a field that is not known', { colour: 'red' }, 'colour: is no field that this version knows'],
  [
    'a chain that is not known',
    { chain: 'SOLANA' },
    expect.stringMatching(/^chain: expected one of ETHEREUM, /),
  ],
  ['a day that no calendar has', { date: '2025-02-30' }, 'date: expected a UTC day, YYYY-MM-DD'],
  [
    'half a hash',
    { last_block: { number: 4, hash: '0x12' } },
    expect.stringMatching(/^last_block\.hash: expected a block hash/),
  ],
  [
    'a time of another zone',
    { ingested_at: '2025-11-21T00:05:00+01:00' },
    expect.stringMatching(/^ingested_at: expected a time in UTC/),
  ],
  ['revision 0', { revision: 0 }, 'revision: expected a whole number, 1 or more'],
  ['no list of hosts', { endpoint_hosts: 'a.example' }, 'endpoint_hosts: expected a list of hosts'],
])('%s is named', (_, change, problem) => {
  expect(fromRow({ ...toRow(storedDay()), ...change })).toEqual({ problems: [problem] });
});

test('each problem of a row is told, those of earlier revisions too', () => {
  const row = toRow(restatedDay());
  const restated = row.restated?.map(({ reason: _, ...old }) => ({ ...old, mood: 'bad' }));
  expect(fromRow({ ...row, blob_fees: 'x', restated })).toEqual({
    problems: [
      'blob_fees: expected a whole number of wei',
      'restated.0.reason: is missing',
      'restated.0.mood: is no field that this version knows',
    ],
  });
  expect(fromRow(null)).toEqual({ problems: ['expected an object, with the fields of a day'] });
});

test('a day that no import would take is not written', () => {
  expect(() => toRow(storedDay({ blob_fees: -1n }))).toThrow(
    /^BSC 2025-11-18 is stored in a form that no import would take: blob_fees: expected a whole number of wei\.$/,
  );
});
