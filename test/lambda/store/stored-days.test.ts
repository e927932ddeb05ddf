import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { UtcDay } from '../../../lambda/chains/utc-day.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import { refreshCoverage } from '../../../lambda/store/coverage.ts';
import { figuresOf } from '../../../lambda/store/day-item.ts';
import { putDay } from '../../../lambda/store/days.ts';
import { replaceDay } from '../../../lambda/store/restatements.ts';
import { getStoredDay, putStoredDay, readStoredDays } from '../../../lambda/store/stored-days.ts';
import { provenance } from '../../support/builders.ts';
import { restatedDay, storedDay, storedDays } from '../../support/stored-days.ts';
import { useTable } from '../../support/table.ts';

const table = useTable();
const store = () => chainStore(table(), 'BSC');
const DAY = '2025-11-18';

const put = (item: object) =>
  table().documents.send(new PutCommand({ TableName: table().name, Item: { ...item } }));
const readAll = (first: UtcDay = '0000-01-01', last: UtcDay = '9999-12-31') =>
  Array.fromAsync(readStoredDays(store(), first, last));

async function itemOf(day: UtcDay) {
  const get = new GetCommand({ TableName: table().name, Key: { chain: 'BSC', date: day } });
  return (await table().documents.send(get)).Item;
}

test('a day that the ingest stored and restated is read with all that is in its item, and put again just so', async () => {
  const day = storedDay();
  const figures = figuresOf(day);
  await putDay(store(), figures, provenance());
  const restatement = { reason: 'a node lied', requestedAt: '2025-11-22T08:00:00Z' };
  await replaceDay(store(), { ...figures, first: undefined }, provenance(), restatement);
  const item = await itemOf(DAY);
  const read = await getStoredDay(store(), DAY);
  expect(read).toMatchObject({
    revision: 2,
    restated: [{ reason: 'a node lied', first_block: day.first_block }],
  });

  expect(read && (await putStoredDay(table(), read, 2))).toBe(true);
  expect(await itemOf(DAY)).toEqual(item);
});

test('days come in order, those of the range alone, and nothing that is no day', async () => {
  const days = storedDays(5);
  for (const day of days.toReversed()) await put(day);
  await put(storedDay({ chain: 'BASE' }));
  await refreshCoverage(store(), DAY);
  expect(await readAll()).toEqual(days);
  expect(await readAll('2025-11-19', '2025-11-21')).toEqual(days.slice(1, 4));
});

test('more than a page is read to its end, and no page before its turn', async () => {
  // A page has 1 MB.
  const restated = restatedDay().restated?.map((old) => ({ ...old, reason: 'x'.repeat(300_000) }));
  for (const day of storedDays(8, { restated })) await put(day);
  let queries = 0;
  table().client.middlewareStack.add(
    (next) => (args) => {
      queries++;
      return next(args);
    },
    { step: 'initialize' },
  );
  const reading = readStoredDays(store(), '0000-01-01', '9999-12-31');
  await reading.next();
  expect(queries).toBe(1);
  expect(await Array.fromAsync(reading)).toHaveLength(7);
  expect(queries).toBeGreaterThan(2);
});

test.each([
  ['an attribute that is not known', { colour: 'red' }, /BSC 2025-11-18 .*: colour is not known\. /],
  [
    'one that is not known within another',
    { last_block: { number: 4, hash: '0x', size: 1 } },
    /last_block\.size is not known/,
  ],
  [
    'one that is not known in an earlier revision',
    { restated: [{ ...restatedDay().restated?.[0], mood: 'bad' }] },
    /restated\.0\.mood is not known/,
  ],
  ['one that is missing', { revision: undefined }, /revision is missing or of another form/],
])('an item with %s is refused by name', async (_, change, message) => {
  await put({ ...storedDay(), ...change });
  await expect(readAll()).rejects.toThrow(message);
  await expect(getStoredDay(store(), DAY)).rejects.toThrow(message);
});

test('a day is put only in the place of the revision that is meant', async () => {
  const [one, two] = [storedDay({ revision: 9 }), storedDay({ revision: 10 })];
  expect(await putStoredDay(table(), one, 1)).toBe(false);
  expect(await putStoredDay(table(), one, 0)).toBe(true);
  expect(await putStoredDay(table(), two, 0)).toBe(false);
  expect(await putStoredDay(table(), two, 8)).toBe(false);
  expect(await getStoredDay(store(), DAY)).toEqual(one);
  expect(await putStoredDay(table(), two, 9)).toBe(true);
  expect(await getStoredDay(store(), DAY)).toEqual(two);
});

test('a day that is not final is not there', async () => {
  expect(await getStoredDay(store(), DAY)).toBeUndefined();
});
