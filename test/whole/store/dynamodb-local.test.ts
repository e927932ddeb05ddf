import { dynamoDbLocal } from '#test/support/tables/dynamodb-local.ts';
import { useTable } from '#test/support/tables/table.ts';
import { testIf } from '#test/support/test-if.ts';

const table = useTable();

const withJar = testIf(process.env.DYNAMODB_LOCAL_JAR !== undefined, 'the jar of DynamoDB Local');

withJar('the tests of the store run on DynamoDB Local too, if DYNAMODB_LOCAL_JAR names its jar', async () => {
  const { headers } = await fetch(table().endpoint);
  // The server of DynamoDB Local.
  expect(/jetty/i.test(headers.get('server') ?? '')).toBe(dynamoDbLocal !== undefined);
});
