import fc from 'fast-check';
import { fromRow, toRow } from '../../../cli/day-files/day-row.ts';
import { anyStoredDay, restatedDay, storedDay } from '../../support/stored-days.ts';

test('decodes every day that it encodes, and encodes the fields in a fixed order', () => {
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

test('decodes rows of 0.1.0, which proved no block, as checked', () => {
  const { evidence: _, proven_blocks: __, confirmed_by: ___, ...old } = toRow(storedDay());
  const day = storedDay({ evidence: 'checked', proven_blocks: 0, confirmed_by: [] });
  expect(fromRow(old)).toEqual({ day });
});

test.each<[string, object, string]>([
  ['wei with a fraction', { execution_fees: '1.5' }, 'execution_fees: expected a whole number of wei'],
  ['wei as a number, which may lack digits', { blob_fees: 7 }, 'blob_fees: expected a whole number of wei'],
  ['negative wei', { blob_fees: '-7' }, 'blob_fees: expected a whole number of wei'],
  ['wei of 39 digits', { blob_fees: '9'.repeat(39) }, 'blob_fees: expected a whole number of wei'],
  ['a negative count', { transaction_count: -1 }, 'transaction_count: expected a whole number, 0 or more'],
  ['a count above the safe integers', { block_count: 2 ** 53 }, 'block_count: expected a whole number'],
  ['a missing field', { last_block: undefined }, 'last_block: is missing'],
  ['an unknown field', { colour: 'red' }, 'colour: unknown field'],
  ['an unknown chain', { chain: 'SOLANA' }, expect.stringMatching(/^chain: expected one of ETHEREUM, /)],
  ['a day that does not exist', { date: '2025-02-30' }, 'date: expected a UTC day, YYYY-MM-DD'],
  [
    'half a hash',
    { last_block: { number: 4, hash: '0x12' } },
    expect.stringMatching(/^last_block\.hash: expected a block hash/),
  ],
  [
    'a time in another zone',
    { ingested_at: '2025-11-21T00:05:00+01:00' },
    expect.stringMatching(/^ingested_at: expected a UTC time/),
  ],
  ['an unknown evidence', { evidence: 'believed' }, 'evidence: expected one of proven, checked'],
  ['revision 0', { revision: 0 }, 'revision: expected a whole number, 1 or more'],
  [
    'a host that is not in a list',
    { endpoint_hosts: 'a.example' },
    'endpoint_hosts: expected a list of hosts',
  ],
])('reports %s by field', (_, change, problem) => {
  expect(fromRow({ ...toRow(storedDay()), ...change })).toEqual({ problems: [problem] });
});

test('reports every problem of a row, including those of earlier revisions', () => {
  const row = toRow(restatedDay());
  const restated = row.restated?.map(({ reason: _, ...old }) => ({ ...old, mood: 'bad' }));
  expect(fromRow({ ...row, blob_fees: 'x', restated })).toEqual({
    problems: [
      'blob_fees: expected a whole number of wei',
      'restated.0.reason: is missing',
      'restated.0.mood: unknown field',
    ],
  });
  expect(fromRow(null)).toEqual({ problems: ['expected an object with the fields of a day'] });
});

test('refuses to encode a day that import would refuse', () => {
  expect(() => toRow(storedDay({ blob_fees: -1n }))).toThrow(
    /^BSC 2025-11-18 cannot be exported: .*\(blob_fees: expected a whole number of wei\)/,
  );
});
