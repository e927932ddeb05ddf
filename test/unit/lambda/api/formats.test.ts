import {
  bodyOfChains,
  CSV_TYPE,
  JSON_TYPE,
  plainColumns,
  serializeRows,
  sliceBody,
} from '#lambda/api/formats.ts';

/* Proves that a slice of serialized rows is the same body as that of these rows alone, in both formats. */

interface Row {
  readonly date: string;
  readonly count?: number;
}
const columns = { ...plainColumns<Row>('date'), count: ({ count }: Row) => count };
const rows: readonly Row[] = [
  { date: '2026-11-18', count: 10 },
  { date: '2026-11-19' },
  { date: '2026-11-20', count: 0 },
];
const types = [JSON_TYPE, CSV_TYPE] as const;

const expected = (type: (typeof types)[number], some: readonly Row[]) =>
  type === JSON_TYPE
    ? JSON.stringify(some)
    : ['date,count', ...some.map(({ date, count }) => `${date},${count ?? ''}`), ''].join('\r\n');

test.each(types)('each slice of rows in %s is their body', (type) => {
  const serialized = serializeRows(type, columns, rows);
  for (let begin = 0; begin <= rows.length; begin++)
    for (let end = begin; end <= rows.length; end++)
      expect(sliceBody(serialized, begin, end)).toBe(expected(type, rows.slice(begin, end)));
});

test.each(types)('a slice of %s that ends before it begins is empty', (type) => {
  expect(sliceBody(serializeRows(type, columns, rows), 2, 1)).toBe(expected(type, []));
  expect(sliceBody(serializeRows(type, columns, []), 0, 0)).toBe(expected(type, []));
});

describe('bodyOfChains', () => {
  const part = (type: (typeof types)[number], chain: string, begin: number, end: number) => ({
    ...{ chain, rows: serializeRows(type, columns, rows) },
    bounds: [begin, end] as const,
  });

  test('puts the chain before the other members of each row', () => {
    const body = bodyOfChains(JSON_TYPE, [part(JSON_TYPE, 'BSC', 1, 3), part(JSON_TYPE, 'BASE', 0, 1)]);
    expect(body).toBe(
      '[{"chain":"BSC","date":"2026-11-19"},{"chain":"BSC","date":"2026-11-20","count":0},' +
        '{"chain":"BASE","date":"2026-11-18","count":10}]',
    );
  });

  test('puts the chain before the other cells of each line, under a header', () => {
    const body = bodyOfChains(CSV_TYPE, [part(CSV_TYPE, 'BSC', 0, 2), part(CSV_TYPE, 'BASE', 2, 3)]);
    expect(body).toBe('chain,date,count\r\nBSC,2026-11-18,10\r\nBSC,2026-11-19,\r\nBASE,2026-11-20,0\r\n');
  });

  test('leaves out a chain whose range is empty, or ends before it begins', () => {
    const parts = [
      part(JSON_TYPE, 'BSC', 2, 2),
      part(JSON_TYPE, 'BASE', 2, 1),
      part(JSON_TYPE, 'POLYGON', 2, 3),
    ];
    expect(JSON.parse(bodyOfChains(JSON_TYPE, parts))).toEqual([{ chain: 'POLYGON', ...rows[2] }]);
    expect(bodyOfChains(JSON_TYPE, [part(JSON_TYPE, 'BSC', 0, 0)])).toBe('[]');
  });
});
