import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { DayQuery } from '../../lambda/api/query.ts';

/** A straightforward implementation: queries the range, maps the items and serializes them, without validation or cache. */
export function plainHandler(config: DynamoDBClientConfig) {
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient(config));
  return async ({ chain, start_date, end_date }: Pick<DayQuery, 'chain' | 'start_date' | 'end_date'>) => {
    const pages = paginateQuery(
      { client: documents },
      {
        TableName: 'metrics',
        KeyConditionExpression: 'chain = :chain AND #date BETWEEN :first AND :last',
        ExpressionAttributeNames: { '#date': 'date' },
        ExpressionAttributeValues: { ':chain': chain, ':first': start_date, ':last': end_date },
      },
    );
    const found = await Array.fromAsync(pages, ({ Items = [] }) => Items);
    const rows = found.flat().map(({ date, transaction_count }) => ({ date, transaction_count }));
    return { statusCode: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(rows) };
  };
}
