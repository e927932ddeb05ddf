import fc from 'fast-check';
import { encodeDay, readRows } from '#cli/day-files/ndjson.ts';
import { anyDetails, withDetails } from '#test/support/generators/details.ts';
import { anyStoredDay, restatedDay, storedDay } from '#test/support/generators/stored-days.ts';

async function* chunksOf(text: string, size: number) {
  for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size);
}
const read = (text: string, size = 10_000) => Array.fromAsync(readRows(chunksOf(text, size)));

test('reads the days that it wrote, whatever the size of chunks', async () => {
  const lists = fc.array(anyStoredDay, { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 1, max: 500 }), async (days, size) => {
      const text = days.map((day) => encodeDay({ day })).join('');
      expect(await read(text, size)).toEqual(days.map((day, index) => ({ line: index + 1, day })));
    }),
    { numRuns: 40 },
  );
});

test('reads the details that it wrote beside a day, and names what is wrong with them', async () => {
  await fc.assert(
    fc.asyncProperty(anyStoredDay, anyDetails, async (day, details) => {
      expect(await read(encodeDay({ day, details }))).toEqual([{ line: 1, day, details }]);
    }),
    { numRuns: 20 },
  );
  const { day, details } = withDetails(storedDay());
  const row = JSON.parse(encodeDay({ day, details }));
  for (const wrong of [7, { hours: row.details.hours }, { ...row.details, hours: { gas_used: [1] } }])
    expect(await read(JSON.stringify({ ...row, details: wrong }))).toEqual([
      { line: 1, problem: expect.stringMatching(/^details: /) },
    ]);
});

test('counts blank lines, and accepts CRLF and a last line without line break', async () => {
  const row = encodeDay({ day: storedDay() }).trimEnd();
  const rows = await read(`${row}\r\n\r\n\n{"chain"\n${row}`);
  expect(rows).toEqual([
    { line: 1, day: storedDay() },
    { line: 4, problem: expect.stringMatching(/^not JSON: /) },
    { line: 5, day: storedDay() },
  ]);
});

test('refuses a line that is too long before it fills the memory', async () => {
  let chunks = 0;
  async function* endless() {
    yield 'null\n';
    for (;;) {
      chunks++;
      yield 'x'.repeat(1_000_000);
    }
  }
  await expect(Array.fromAsync(readRows(endless()))).rejects.toThrow('Line 2 is longer than 1 MB.');
  expect(chunks).toBe(2);
});

test('refuses a file that would not fit into memory', async () => {
  async function* endless() {
    for (;;) yield `${'x'.repeat(900_000)}\n`;
  }
  await expect(Array.fromAsync(readRows(endless()))).rejects.toThrow(
    'larger than 128 MB. Import it in parts.',
  );
});

test('survives lists and objects that are nested as deep as a line allows', async () => {
  const [row] = await read('{"a":['.repeat(160_000));
  expect(row).toMatchObject({ line: 1, problem: expect.stringMatching(/^not JSON: /) });
  const [closed] = await read(`${'['.repeat(400_000)}${']'.repeat(400_000)}`);
  expect(closed).toMatchObject({ problem: expect.any(String) });
});

test('accepts brackets within text', async () => {
  const day = restatedDay();
  const reason = '[{'.repeat(50);
  const changed = { ...day, restated: day.restated?.map((old) => ({ ...old, reason })) };
  expect(await read(encodeDay({ day: changed }))).toEqual([{ line: 1, day: changed }]);
});

const changedRow = (change: object) =>
  JSON.stringify({ ...JSON.parse(encodeDay({ day: storedDay() })), ...change });
const problemOf = async (change: object) => {
  const [row] = await read(changedRow(change));
  return row && 'problem' in row ? row.problem : undefined;
};

test.each<[string, object, string]>([
  ['wei with a fraction', { execution_fees: '1.5' }, 'execution_fees is missing or invalid'],
  ['wei as a number, which may lack digits', { blob_fees: 7 }, 'blob_fees is missing or invalid'],
  ['negative wei', { blob_fees: '-7' }, 'blob_fees is missing or invalid'],
  ['wei of 39 digits', { blob_fees: '9'.repeat(39) }, 'blob_fees is missing or invalid'],
  ['a negative count', { transaction_count: -1 }, 'transaction_count is missing or invalid'],
  ['a negative count that may be missing', { proven_blocks: -1 }, 'proven_blocks is missing or invalid'],
  ['a count above the safe integers', { block_count: 2 ** 53 }, 'block_count is missing or invalid'],
  ['a missing field', { last_block: undefined }, 'last_block is missing or invalid'],
  ['an unknown field', { colour: 'red' }, 'colour is unknown'],
  ['an unknown chain', { chain: 'SOLANA' }, 'chain is missing or invalid'],
  ['a day that does not exist', { date: '2025-02-30' }, 'date is missing or invalid'],
  ['half a hash', { last_block: { number: 4, hash: '0x12' } }, 'last_block.hash is missing or invalid'],
  [
    'a time in another zone',
    { ingested_at: '2025-11-21T00:05:00+01:00' },
    'ingested_at is missing or invalid',
  ],
  ['an unknown evidence', { evidence: 'believed' }, 'evidence is missing or invalid'],
  ['revision 0', { revision: 0 }, 'revision is missing or invalid'],
  ['a host that is not in a list', { endpoint_hosts: 'a.example' }, 'endpoint_hosts is missing or invalid'],
])('reports %s by field', async (_, change, problem) => {
  expect(await problemOf(change)).toBe(problem);
});

test('reports every problem of a row, including those of earlier revisions', async () => {
  const { restated, ...row } = JSON.parse(encodeDay({ day: restatedDay() }));
  const [{ reason: _, ...old }] = restated;
  expect(await problemOf({ ...row, blob_fees: 'x', restated: [{ ...old, mood: 'bad' }] })).toBe(
    'blob_fees is missing or invalid, restated.0.reason is missing or invalid, restated.0.mood is unknown',
  );
  expect(await read('null\n7')).toEqual([
    { line: 1, problem: 'the object is missing or invalid' },
    { line: 2, problem: 'the object is missing or invalid' },
  ]);
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
])('refuses a spreadsheet formula as %s: %p', async (field, value) => {
  const change = field === 'software_version' ? { software_version: value } : { endpoint_hosts: [value] };
  expect(await problemOf(change)).toBe(`${field} is missing or invalid`);
});

test.each(['a.example', 'a.example:8545', 'quiknode.pro#2', '127.0.0.1:8545#3', '[::1]:8545', 'node_1'])(
  'accepts the host %s',
  async (host) => {
    const day = storedDay({ endpoint_hosts: [host] });
    expect(await read(changedRow({ endpoint_hosts: [host] }))).toEqual([{ line: 1, day }]);
  },
);

test('prints unknown fields of a row without terminal escapes, shortened, and the first ten only', async () => {
  const escapes = '\u001b]0;owned\u0007\u202e\u2028';
  expect(await problemOf({ [escapes]: 1, ['x'.repeat(900_000)]: 1 })).toBe(
    ` ]0;owned  is unknown, ${'x'.repeat(100)} is unknown`,
  );
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`field${index}`, 1]));
  expect((await problemOf(many))?.split(', ')).toHaveLength(10);
});

test.each(['restated', 'endpoint_hosts', 'confirmed_by'])('refuses 400,000 elements of %s', async (field) => {
  expect(await problemOf({ [field]: Array.from({ length: 400_000 }, () => 1) })).toBe(
    `${field} is missing or invalid`,
  );
});
