import { type AttributeValue, DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';

const client = new DynamoDBClient();

/** Names of the attributes of a row, with commas. */
const attributes = (process.env.ATTRIBUTES ?? '').split(',');

/** Answers a query with the SDK's client and one query, without validation or any other feature: attributes as they are stored. */
export async function handler({ multiValueQueryStringParameters: given }: APIGatewayProxyEvent) {
  const [chain = '', start = '', end = ''] = ['chain', 'start_date', 'end_date'].map(
    (name) => given?.[name]?.[0],
  );
  const query = new QueryCommand({
    TableName: process.env.TABLE_NAME,
    KeyConditionExpression: 'chain = :chain AND #date BETWEEN :first AND :last',
    ExpressionAttributeNames: { '#date': 'date' },
    ExpressionAttributeValues: { ':chain': { S: chain }, ':first': { S: start }, ':last': { S: end } },
  });
  const { Items = [] } = await client.send(query);
  const rows = Items.map((item) => Object.fromEntries(attributes.map((name) => [name, plain(item[name])])));
  return { statusCode: 200, body: JSON.stringify(rows) };
}

/** Amounts of wei stay text, as JSON has no integers of that size. */
function plain(value: AttributeValue | undefined): unknown {
  if (value?.N !== undefined) return Number.isSafeInteger(Number(value.N)) ? Number(value.N) : value.N;
  if (value?.M === undefined) return value?.S;
  return Object.fromEntries(Object.entries(value.M).map(([name, member]) => [name, plain(member)]));
}
