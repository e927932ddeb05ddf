import { chainOf } from '#core/chains/chains.ts';
import { chainStore, isNew, isUnchanged, keyOfWrite, queryItems } from '#core/store/table/table.ts';
import { useTable } from '#test/support/tables/table.ts';

/* Proves the conditions of writes, and whose items a store reads. client.test.ts and document-table.test.ts prove requests. */

const table = useTable();
const key = { chain: 'BSC', date: 'a' };
const put = (sequence: number, condition: ReturnType<typeof isUnchanged>) =>
  table().putIf({ ...key, sequence }, condition);

test('isUnchanged holds for the counter that was read, and for no item if none was', async () => {
  expect(await put(1, isUnchanged('sequence', 1))).toBe(false);
  expect(await put(1, isUnchanged('sequence', 0))).toBe(true);
  expect(await put(1, isUnchanged('sequence', 0))).toBe(false);
  expect(await put(2, isUnchanged('sequence', 1))).toBe(true);
  expect(await put(3, isUnchanged('sequence', 1))).toBe(false);
  expect(await put(1, isNew)).toBe(false);
});

test.each([
  ['put', { put: { ...key, sequence: 7 } }],
  ['delete', { delete: key }],
  ['check', { check: key, condition: isNew }],
] as const)('keyOfWrite gives the key alone of a %s', (_, write) => {
  expect(keyOfWrite(write)).toEqual(key);
});

test('chainStore takes the rules of the chain that it is given', () => {
  const { name, rules } = chainOf('BSC');
  expect(chainStore(table(), 'BSC')).toEqual({ table: table(), chain: name, rules });
  const other = chainOf('BASE').rules;
  expect(chainStore(table(), { name, rules: other })).toMatchObject({ chain: name, rules: other });
});

test('queryItems joins the items of all pages', async () => {
  async function* queryPages() {
    yield [{ date: 'a' }];
    yield [];
    yield [{ date: 'b' }, { date: 'c' }];
  }
  const query = { KeyConditionExpression: '', ExpressionAttributeValues: {} };
  expect(await queryItems({ ...table(), queryPages }, query)).toEqual([
    { date: 'a' },
    { date: 'b' },
    { date: 'c' },
  ]);
});
