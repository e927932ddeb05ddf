import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';

const client = new DynamoDBClient();

/** Answers a query for counts with the SDK's client and one query, without validation or any other feature. */
export async function handler({ queryStringParameters }: APIGatewayProxyEvent) {
  const { chain = '', start_date = '', end_date = '' } = queryStringParameters ?? {};
  const query = new QueryCommand({
    TableName: process.env.TABLE_NAME,
    KeyConditionExpression: 'chain = :chain AND #date BETWEEN :first AND :last',
    ExpressionAttributeNames: { '#date': 'date' },
    ExpressionAttributeValues: {
      ':chain': { S: chain },
      ':first': { S: start_date },
      ':last': { S: end_date },
    },
  });
  const { Items = [] } = await client.send(query);
  const rows = Items.map(({ date, transaction_count }) => ({
    date: date?.S,
    transaction_count: Number(transaction_count?.N),
  }));
  return { statusCode: 200, body: JSON.stringify(rows) };
}
