import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpResponse } from '@smithy/core/protocols';
import { createQueryTable } from '#core/store/table/client.ts';
import { queryItems } from '#core/store/table/table.ts';
import { EMBEDDED_TABLE_NAME, embeddedAccess } from '#local/embedded-table.ts';
import { SAID, startAwsEndpoint } from '#test/support/servers/aws-endpoint.ts';
import { useTable } from '#test/support/tables/table.ts';

/* The query functions read the same items as the ingest, though their client skips most of the SDK's work. */

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
