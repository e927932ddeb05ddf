import {
  type AttributeValue,
  type DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
  paginateQuery,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { createClient, pagesOf, responseOf, wrapNumber } from './client.ts';
import type { Item, TableQuery, TableReader } from './table.ts';

/** Without these settings, the SDK would search the environment and files for them, which takes 4 ms of a cold start. */
const fixedSettings = {
  accountIdEndpointMode: 'preferred',
  authSchemePreference: [],
  defaultsMode: 'legacy',
  disableClockSkewCorrection: false,
  retryMode: 'standard',
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  userAgentAppId: 'chain-insights',
} satisfies DynamoDBClientConfig;

/** An item as DynamoDB sends it. */
export type Attributes = Record<string, AttributeValue>;

const fromAttributes = (attributes: Attributes): Item => unmarshall(attributes, { wrapNumbers: wrapNumber });

/** Creates the table of a query function. It uses the low-level client, because the DocumentClient would slow the cold start. */
export function createQueryTable(name: string, config: DynamoDBClientConfig = {}): TableReader {
  const client = createClient({ ...fixedSettings, ...config });
  return {
    name,
    getItem: async (key) => {
      const get = new GetItemCommand({ TableName: name, Key: marshall(key), ConsistentRead: true });
      const { Item } = await responseOf(client.send(get));
      return Item && fromAttributes(Item);
    },
    async *queryPages(query) {
      for await (const items of rawPages(client, name, query)) yield items.map(fromAttributes);
    },
  };
}

export async function* rawPages(
  client: DynamoDBClient,
  name: string,
  { ExpressionAttributeValues: values, ...query }: TableQuery,
): AsyncGenerator<readonly Attributes[], void> {
  const input = { TableName: name, ...query, ExpressionAttributeValues: marshall(values) };
  for await (const { Items = [] } of pagesOf(paginateQuery({ client }, input))) yield Items;
}
