import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { itemKey } from '#core/store/table/keys.ts';
import type { Table } from '#core/store/table/table.ts';
import { createMemoryTable } from '#local/memory-table.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { type JsonRpcServer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { runIngest } from '#test/support/processes/run-ingest.ts';
import { useTable } from '#test/support/tables/table.ts';

const table = useTable();
const COVERAGE = itemKey({ chain: 'ETHEREUM' }, 'coverage').date;

/** Returns all items of a table, without times, which differ between two runs. */
async function itemsOf({ documents, name }: Table) {
  const { Items = [] } = await documents.send(new ScanCommand({ TableName: name }));
  const text = JSON.stringify(Items, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
  return JSON.parse(text.replaceAll(/"(\d{4}-\d\d-\d\dT[^"]*|\d{13})"/g, '"a time"')) as { date: string }[];
}

const ingest = async (into: Table, node: JsonRpcServer) => {
  const report = await runIngest(into, [node]);
  expect(report).toMatchObject({ outcome: 'up to date' });
};

test('saves the items that an ingest into the table itself leaves there', async () => {
  await using node = await startJsonRpcServer(answerFrom(sampleBlocks));
  const memory = createMemoryTable(table(), COVERAGE);
  await ingest(memory.table, node);
  expect(await itemsOf(table())).toEqual([]);
  await memory.save();
  const saved = await itemsOf(table());
  for (const { date } of saved) await table().deleteItem({ chain: 'ETHEREUM', date });
  await ingest(table(), node);
  expect(saved).toEqual(await itemsOf(table()));
  expect(saved.map(({ date }) => date)).toEqual(expect.arrayContaining([COVERAGE, '2026-11-18']));
});

test('leaves a table without coverage when saving ends early, so that the next start ingests the past again', async () => {
  const { documents, ...target } = table();
  let requests = 0;
  const send = async (command: Parameters<typeof documents.send>[0]) => {
    requests += 1;
    if (requests === 2) throw new Error('killed');
    return documents.send(command);
  };
  const memory = createMemoryTable({ ...target, documents: { send } as never }, COVERAGE);
  await memory.table.putIf({ chain: 'ETHEREUM', date: COVERAGE });
  for (let day = 1; day <= 26; day++) await memory.table.putIf({ chain: 'ETHEREUM', date: `day ${day}` });
  await expect(memory.save()).rejects.toThrow('killed');
  expect((await itemsOf(table())).map(({ date }) => date)).not.toContain(COVERAGE);
});

test.each([
  ['attribute_not_exists(chain)', { a: 1 }, false],
  ['attribute_not_exists(b)', { a: 1 }, true],
  ['#counter = :one', { a: 1 }, true],
  ['#counter = :one AND attribute_not_exists(b)', { a: 1, b: 1 }, false],
  ['a = :one', { a: 2 }, false],
  ['a = :one', {}, false],
  ['a <= :one', { a: 1 }, true],
  ['a <= :one', { a: 2 }, false],
  ['a <= :one', {}, false],
])('judges %s of an item with %p as DynamoDB does', async (ConditionExpression, attributes, isWritten) => {
  const condition = {
    ConditionExpression,
    ...(ConditionExpression.includes('#counter') && { ExpressionAttributeNames: { '#counter': 'a' } }),
    ...(ConditionExpression.includes(':one') && { ExpressionAttributeValues: { ':one': 1 } }),
  };
  for (const each of [table(), createMemoryTable(table(), COVERAGE).table]) {
    await each.putIf({ chain: 'ETHEREUM', date: 'item', ...attributes });
    expect(await each.putIf({ chain: 'ETHEREUM', date: 'item' }, condition)).toBe(isWritten);
    await each.deleteItem({ chain: 'ETHEREUM', date: 'item' });
  }
});
