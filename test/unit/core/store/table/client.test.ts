import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { chainStore, queryItems } from '#core/store/table/table.ts';
import { EMBEDDED_TABLE_NAME, embeddedAccess } from '#local/embedded-table.ts';
import { SAID, startAwsEndpoint } from '#test/support/servers/aws-endpoint.ts';
import { useTable } from '#test/support/tables/table.ts';

/* Proves that clients read consistently and exactly, and after which errors of DynamoDB a later attempt may succeed. */

const details = { $metadata: {}, message: SAID };

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

const table = useTable();

const key = { chain: 'BSC', date: 'a' };
const ofBsc = { KeyConditionExpression: 'chain = :chain', ExpressionAttributeValues: { ':chain': 'BSC' } };

describe('createQueryTable', () => {
  const open = () => createQueryTable(EMBEDDED_TABLE_NAME, { ...embeddedAccess, endpoint: table().endpoint });

  test('reads items of all types as the DocumentClient does', async () => {
    const values = { text: 'née “É” \u2028 \\ " 💰', wei: 12345678901234567890123456789012345678n, zero: 0 };
    const item = { ...key, ...values, no: null, yes: true, list: [1, 'a', [null]], map: { $metadata: 'b' } };
    await table().putIf({ ...item, nested: { ...item } });
    const read = await open().getItem(key);
    expect(read).toEqual(await table().getItem(key));
    expect(read).toMatchObject({ text: values.text, wei: values.wei });
    expect(await open().getItem({ ...key, date: 'none' })).toBeUndefined();
  });

  test('reads all pages of a query', async () => {
    const text = 'a'.repeat(390_000);
    for (const date of ['a', 'b', 'c', 'd', 'e', 'f']) await table().putIf({ ...key, date, text });
    const pages = await Array.fromAsync(open().queryPages(ofBsc));
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat()).toEqual(await queryItems(table(), ofBsc));
  });

  test.each(['ThrottlingException', 'ProvisionedThroughputExceededException', 'ResourceNotFoundException'])(
    'throws TableUnavailableError when DynamoDB answers with %s',
    async (name) => {
      await using service = await startAwsEndpoint(() => ({
        error: `com.amazonaws.dynamodb.v20120810#${name}`,
      }));
      const failing = createQueryTable('metrics', {
        ...embeddedAccess,
        endpoint: service.url,
        maxAttempts: 1,
      });
      await expect(failing.getItem(key)).rejects.toMatchObject({
        name: 'TableUnavailableError',
        message: `The table is unavailable: ${name}, ${SAID}. Try again later.`,
      });
    },
  );

  test('throws any other error of DynamoDB with its name and message', async () => {
    await using service = await startAwsEndpoint(() => ({ error: 'AccessDeniedException' }));
    const failing = createQueryTable('metrics', { ...embeddedAccess, endpoint: service.url });
    await expect(failing.getItem(key)).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: SAID,
    });
  });

  test.each([
    ['AWS_ENDPOINT_URL_DYNAMODB', 'dynamodb.test'],
    ['AWS_ENDPOINT_URL', 'any.test'],
    [undefined, 'dynamodb.eu-central-1.amazonaws.com'],
  ])('takes its endpoint from %s, and from no file', async (variable, expected) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'chain-insights-'));
    const file = join(folder.path, 'config');
    writeFileSync(file, '[default]\nendpoint_url = http://file.test\n');
    const before = { ...process.env };
    process.env.AWS_CONFIG_FILE = file;
    if (variable !== undefined) process.env[variable] = `http://${expected}`;
    const hosts: string[] = [];
    const handle = async ({ hostname }: { readonly hostname: string }) => {
      hosts.push(hostname);
      return { response: new HttpResponse({ statusCode: 200, body: Buffer.from('{}') }) };
    };
    try {
      const access = { ...embeddedAccess, region: 'eu-central-1', requestHandler: { handle } };
      await createQueryTable('metrics', access).getItem(key);
    } finally {
      process.env = before;
    }
    expect(hosts).toEqual([expected]);
  });
});
