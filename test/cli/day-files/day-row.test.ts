import fc from 'fast-check';
import { fromRow, toRow } from '../../../cli/day-files/day-row.ts';
import { decodeStoredDay } from '../../../lambda/store/day-item.ts';
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
  expect(fromRow({ mood: 'bad' })).toEqual({ problems: ['not a row of chain-insights export'] });
  expect(fromRow(null)).toEqual({ problems: ['expected an object with the fields of a day'] });
});

test.each([
  ['software_version', '=HYPERLINK("http://evil.example","1.2.3")'],
  ['software_version', '+1.2.3'],
  ['software_version', '@SUM(1)'],
  ['software_version', '1.2.3\t=1'],
  ['endpoint_hosts.0', '=HYPERLINK("http://evil.example")'],
  ['endpoint_hosts.0', '=1'],
  ['endpoint_hosts.0', '+1'],
  ['endpoint_hosts.0', '-1'],
  ['endpoint_hosts.0', '@a.example'],
  ['endpoint_hosts.0', 'a.example/=1'],
  ['endpoint_hosts.0', 'a.example:8545,=1'],
  ['endpoint_hosts.0', '\u202ea.example'],
])('refuses a spreadsheet formula as %s: %p', (field, value) => {
  const change = field === 'software_version' ? { software_version: value } : { endpoint_hosts: [value] };
  expect(fromRow({ ...toRow(storedDay()), ...change })).toEqual({
    problems: [expect.stringMatching(`^${field}: expected `)],
  });
  expect(() => decodeStoredDay(withBigInts({ ...storedDay(), ...change }))).toThrow(
    `${field} is missing or invalid`,
  );
  expect(() => toRow({ ...storedDay(), ...change })).toThrow('cannot be exported');
});

test.each(['a.example', 'a.example:8545', 'quiknode.pro#2', '127.0.0.1:8545#3', '[::1]:8545', 'node_1'])(
  'accepts the host %s',
  (host) => {
    const row = { ...toRow(storedDay()), endpoint_hosts: [host] };
    expect(fromRow(row)).toEqual({ day: storedDay({ endpoint_hosts: [host] }) });
  },
);

test('prints unknown fields of a row without terminal escapes, shortened, and the first 20 only', () => {
  const row = { ...toRow(storedDay()), '\u001b]0;owned\u0007\u202e\u2028': 1, ['x'.repeat(1_000_000)]: 1 };
  expect(fromRow(row)).toEqual({
    problems: [' ]0;owned : unknown field', `${'x'.repeat(100)}: unknown field`],
  });
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`field${index}`, 1]));
  expect(fromRow({ ...toRow(storedDay()), ...many })).toEqual({ problems: expect.any(Array) });
  expect(problemsOf({ ...toRow(storedDay()), ...many })).toHaveLength(20);
});

test.each(['restated', 'endpoint_hosts'])('refuses a million elements of %s with one problem', (field) => {
  const elements = Array.from({ length: 1_000_000 }, () => 1);
  expect(problemsOf({ ...toRow(storedDay()), [field]: elements })).toEqual([
    `${field}: has more than 1000 elements`,
  ]);
});

const problemsOf = (row: object) => {
  const decoded = fromRow(row);
  return 'problems' in decoded ? decoded.problems : [];
};

/** Returns a day with the types of a stored item, in which every number is a bigint. */
const withBigInts = (value: unknown): unknown => {
  if (typeof value === 'number') return BigInt(value);
  if (Array.isArray(value)) return value.map(withBigInts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withBigInts(part)]));
};

test('refuses to encode a day that import would refuse', () => {
  expect(() => toRow(storedDay({ blob_fees: -1n }))).toThrow(
    /^BSC 2025-11-18 cannot be exported: .*\(blob_fees: expected a whole number of wei\)/,
  );
});
