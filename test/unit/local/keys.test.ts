import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { addKey, ENVIRONMENT_KEY, keyCheck, readCounts, setKeyEnabled } from '#local/keys.ts';
import { useTable } from '#test/support/tables/table.ts';

const table = useTable();
const keys = () => table().keys;
const alice = { name: 'alice', tier: 'standard' };
const ALWAYS = { first: '2000-01-01', last: '2999-12-31' };

const requestsOf = async (hash: string) =>
  (await readCounts(keys(), hash, ALWAYS)).reduce((sum, { requests }) => sum + requests, 0);

/** Waits for the count to arrive: counting does not delay the response. */
async function counted(hash: string, requests: number) {
  while ((await requestsOf(hash)) < requests);
  expect(await requestsOf(hash)).toBe(requests);
}

test('accepts a key unless it is disabled', async () => {
  const isAllowed = keyCheck(keys(), 'given');
  const { key, value } = await addKey(keys(), alice);
  expect(await isAllowed(value)).toBe(true);
  await setKeyEnabled(keys(), key.hash, false);
  expect(await isAllowed(value)).toBe(false);
  await setKeyEnabled(keys(), key.hash, true);
  expect(await isAllowed(value)).toBe(true);
  await counted(key.hash, 2);
});

test('creates distinct values and stores none of them', async () => {
  const issued = await Promise.all([addKey(keys(), alice), addKey(keys(), alice)]);
  const [first, second] = issued.map(({ value }) => value);
  expect(first).not.toBe(second);
  const { Items } = await keys().documents.send(new ScanCommand({ TableName: keys().name }));
  expect(Items).toHaveLength(2);
  for (const { value } of issued) {
    expect(value).toMatch(/^[0-9a-f]{40}$/);
    expect(JSON.stringify(Items)).not.toContain(value);
  }
});

test('keeps one write of a key under way, however many requests come, and counts each', async () => {
  const { documents } = keys();
  const released = Promise.withResolvers<void>();
  let [writes, atOnce, maxAtOnce] = [0, 0, 0];
  const send: typeof documents.send = async (command: never) => {
    writes += 1;
    atOnce += 1;
    maxAtOnce = Math.max(maxAtOnce, atOnce);
    await released.promise;
    return await documents.send(command).finally(() => {
      atOnce -= 1;
    });
  };
  const slow = Object.assign(Object.create(documents), { send });
  const isAllowed = keyCheck({ ...keys(), documents: slow }, 'given');
  for (let request = 0; request < 5_000; request++) await isAllowed('given');
  released.resolve();
  await counted(ENVIRONMENT_KEY, 5_000);
  expect([writes, maxAtOnce]).toEqual([2, 1]);
});

test('accepts no part or extension of the environment’s key', async () => {
  const isAllowed = keyCheck(keys(), 'local-key');
  for (const value of ['', 'local-ke', 'local-key ', 'LOCAL-KEY']) expect(await isAllowed(value)).toBe(false);
  expect(await isAllowed('local-key')).toBe(true);
  await counted(ENVIRONMENT_KEY, 1);
});

test('counts requests that could not be counted with the next one that can', async () => {
  const { documents } = keys();
  const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
  let isAway = true;
  const send: typeof documents.send = async (command: never) => {
    if (isAway) throw new Error('away');
    return await documents.send(command);
  };
  const flaky = Object.assign(Object.create(documents), { send });
  const isAllowed = keyCheck({ ...keys(), documents: flaky }, 'given');
  for (let request = 0; request < 3; request++) {
    await isAllowed('given');
    await new Promise(setImmediate);
  }
  isAway = false;
  await isAllowed('given');
  await counted(ENVIRONMENT_KEY, 4);
  logged.mockRestore();
});
