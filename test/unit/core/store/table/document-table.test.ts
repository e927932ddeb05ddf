import {
  DynamoDBClient,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { documentTable } from '#core/store/table/document-table.ts';
import type { Condition, Write } from '#core/store/table/table.ts';
import { useTable } from '#test/support/tables/table.ts';

/* One transaction writes all of its items or none. On Amazon's DynamoDB Local, the same tests run on its transactions. */

const table = useTable();

const key = (date: string) => ({ chain: 'BSC', date });
const put = (date: string, revision: number, condition?: Condition): Write => ({
  put: { ...key(date), revision },
  condition,
});
const is = (revision: number): Condition => ({
  ConditionExpression: 'revision = :revision',
  ExpressionAttributeValues: { ':revision': revision },
});
const revisionOf = async (date: string) => (await table().getItem(key(date)))?.revision;

describe('commit', () => {
  test('writes and deletes all items', async () => {
    await table().commit([put('a', 1), put('b', 1)]);
    expect(await table().commit([put('a', 2, is(1)), { delete: key('b'), condition: is(1) }])).toBe(true);
    expect([await revisionOf('a'), await revisionOf('b')]).toEqual([2n, undefined]);
  });

  test('writes nothing if one condition fails', async () => {
    await table().commit([put('a', 1), put('b', 1)]);
    expect(await table().commit([put('a', 2), { delete: key('b'), condition: is(7) }])).toBe(false);
    expect([await revisionOf('a'), await revisionOf('b')]).toEqual([1n, 1n]);
  });

  test('lets exactly one of many commits win that continue the same item', async () => {
    await table().commit([put('head', 0)]);
    const commits = Array.from({ length: 20 }, (_, index) =>
      table().commit([put('head', 1, is(0)), put(`by ${index}`, index)]),
    );
    const won = (await Promise.all(commits)).flatMap((isDone, index) => (isDone ? [index] : []));
    expect(won).toHaveLength(1);
    const written = await Promise.all(commits.map((_, index) => revisionOf(`by ${index}`)));
    expect(written.filter((revision) => revision !== undefined)).toEqual(won.map(BigInt));
  });

  test('ends all of a hundred commits that meet on one item, each computed again from the newest one', async () => {
    await table().commit([put('head', 0)]);
    const countUp = async (name: string) => {
      for (let isDone = false; !isDone; ) {
        const revision = Number(await revisionOf('head'));
        isDone = await table().commit([put('head', revision + 1, is(revision)), put(name, revision)]);
      }
    };
    await Promise.all(Array.from({ length: 100 }, (_, index) => countUp(`by ${index}`)));
    expect(await revisionOf('head')).toBe(100n);
  });

  test('waits for plain writes of the same item', async () => {
    const writes = Array.from({ length: 20 }, (_, index) => [
      table().putIf({ ...key('a'), revision: index }),
      table().commit([put('a', index), put('b', index)]),
      table().deleteItem(key('b')),
    ]);
    await expect(Promise.all(writes.flat())).resolves.toHaveLength(60);
  });

  test.each([
    [
      'more than 100 items',
      Array.from({ length: 101 }, (_, index) => put(`item ${index}`, 1)),
      /less than or equal to 100/,
    ],
    ['two writes of one item', [put('a', 1), { delete: key('a') }], /multiple operations on one item/],
  ])('refuses %s', async (_, writes: readonly Write[], problem) => {
    await expect(table().commit(writes)).rejects.toThrow(problem);
  });
});

/* Cancellations as Amazon's DynamoDB states them, which a table in this process does not. */
describe('a commit that DynamoDB cancels', () => {
  const commitAfter = async (...codes: readonly (string | undefined)[]) => {
    using aws = Object.assign(mockClient(DynamoDBDocumentClient), {
      [Symbol.dispose]() {
        aws.restore();
      },
    });
    const canceled = new TransactionCanceledException({
      message: 'canceled',
      $metadata: {},
      CancellationReasons: codes.map((Code) => ({ Code })),
    });
    aws.on(TransactWriteCommand).rejectsOnce(canceled).resolves({});
    const isDone = await documentTable(new DynamoDBClient({ region: 'local' }), 'metrics')
      .commit([put('a', 1)])
      .catch((error: unknown) => (error === canceled ? 'failed' : 'another error'));
    const tokens = aws.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input.ClientRequestToken);
    return [isDone, tokens.length, new Set(tokens).size];
  };

  test.each([
    ['None', 'TransactionConflict'],
    ['ThrottlingError', 'None'],
    ['ProvisionedThroughputExceeded', 'TransactionConflict'],
  ])('for %s and %s is sent again, with the same token', async (...codes) => {
    expect(await commitAfter(...codes)).toEqual([true, 2, 1]);
  });

  test('is not done if a condition did not hold, whatever else was in the way', async () => {
    expect(await commitAfter('TransactionConflict', 'ConditionalCheckFailed')).toEqual([false, 1, 1]);
  });

  test.each([
    ['ValidationError', 'None'],
    ['TransactionConflict', 'ItemCollectionSizeLimitExceeded'],
    [undefined, 'TransactionConflict'],
  ])('for %s and %s fails', async (...codes) => {
    expect(await commitAfter(...codes)).toEqual(['failed', 1, 1]);
  });
});

describe('TransactWriteItems', () => {
  const item = (date: string, value: string) => ({
    Put: { TableName: table().name, Item: { chain: { S: 'BSC' }, date: { S: date }, value: { S: value } } },
  });
  const send = (token: string, value: string) =>
    table().client.send(
      new TransactWriteItemsCommand({ ClientRequestToken: token, TransactItems: [item('a', value)] }),
    );

  test('is done once for each token', async () => {
    await send('token', 'first');
    await table().putIf({ ...key('a'), value: 'second' });
    await send('token', 'first');
    expect((await table().getItem(key('a')))?.value).toBe('second');
  });

  test('refuses a token that is used for other items', async () => {
    await send('token', 'first');
    await expect(send('token', 'second')).rejects.toThrow(
      expect.objectContaining({ name: 'IdempotentParameterMismatchException' }),
    );
  });

  test('names the condition that failed, in the order of the items', async () => {
    await table().putIf({ ...key('a') });
    const isNew = { ConditionExpression: 'attribute_not_exists(chain)' };
    const TransactItems = ['b', 'a'].map((date) => ({ Put: { ...item(date, '').Put, ...isNew } }));
    const canceled = table().client.send(new TransactWriteItemsCommand({ TransactItems }));
    const codes = await canceled.catch((error) =>
      error.CancellationReasons.map(({ Code }: { Code: string }) => Code),
    );
    expect(codes).toEqual(['None', 'ConditionalCheckFailed']);
  });
});
