import { Readable } from 'node:stream';
import {
  DynamoDBServiceException,
  ProvisionedThroughputExceededException,
  RequestLimitExceeded,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { queryDays } from '#core/store/days/days.ts';
import { createQueryTable, TableUnavailableError, wrapNumber } from '#core/store/table/client.ts';
import { createDocumentTable } from '#core/store/table/document-table.ts';
import { chainStore } from '#core/store/table/table.ts';
import { embeddedAccess } from '#local/embedded-table.ts';

/* Proves that clients read consistently and exactly, and after which errors of DynamoDB a later attempt may succeed. */

const details = { $metadata: {}, message: 'said the service' };

describe.each([
  ['createQueryTable', createQueryTable],
  ['createDocumentTable', createDocumentTable],
])('%s', (_, open) => {
  test.each([
    new ProvisionedThroughputExceededException(details),
    new RequestLimitExceeded(details),
    new ResourceNotFoundException(details),
    new DynamoDBServiceException({ ...details, name: 'ThrottlingException', $fault: 'client' }),
    new DynamoDBServiceException({
      name: 'InternalServerError',
      $fault: 'server',
      $metadata: { httpStatusCode: 500 },
      message: 'broken',
    }),
    Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('name'), { code: 'EAI_AGAIN' }),
    Object.assign(new Error('slow'), { name: 'TimeoutError' }),
  ])('throws TableUnavailableError for %s', async (error) => {
    const requestHandler = { handle: () => Promise.reject(error) };
    const store = chainStore(open('metrics', { ...embeddedAccess, maxAttempts: 1, requestHandler }), 'BSC');
    await expect(queryDays(store, '2026-11-18', '2026-11-20')).rejects.toThrow(TableUnavailableError);
    await expect(getCoverage(store)).rejects.toThrow(
      `The table is unavailable: ${error.name}, ${error.message}. Try again later.`,
    );
  });
});

test('wrapNumber keeps each digit of a whole number, and leaves others for the schemas', () => {
  expect(['0', '-7', '9'.repeat(38)].map(wrapNumber)).toEqual([0n, -7n, 10n ** 38n - 1n]);
  expect(['1.5', '1e3'].map(wrapNumber)).toEqual([1.5, 1_000]);
});

test('createQueryTable reads consistently, a page when the caller needs it', async () => {
  const asked: Record<string, unknown>[] = [];
  const page = { Items: [{ date: { S: 'a' } }], LastEvaluatedKey: { date: { S: 'a' } } };
  const requestHandler = {
    handle: async ({ body }: HttpRequest) => {
      asked.push(JSON.parse(new TextDecoder().decode(body)));
      const sent = asked.length < 3 ? page : { Items: [{ date: { S: 'b' } }] };
      return {
        response: new HttpResponse({
          statusCode: 200,
          body: Readable.from(Buffer.from(JSON.stringify(sent))),
        }),
      };
    },
  };
  const { queryPages, getItem } = createQueryTable('metrics', { ...embeddedAccess, requestHandler });
  const query = { KeyConditionExpression: 'chain = :chain', ExpressionAttributeValues: { ':chain': 'BSC' } };
  const pages = queryPages(query);
  expect(await pages.next()).toEqual({ done: false, value: [{ date: 'a' }] });
  expect(asked).toHaveLength(1);
  await Array.fromAsync(pages);
  expect(asked).toHaveLength(3);
  await getItem({ chain: 'BSC', date: 'a' });
  expect(asked.map(({ ConsistentRead }) => ConsistentRead)).toEqual([true, true, true, true]);
  expect(asked[2]).toMatchObject({ ExclusiveStartKey: page.LastEvaluatedKey });
});
