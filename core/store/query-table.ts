import { type DynamoDBClientConfig, GetItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { createClient, pagesOf, responseOf } from './client.ts';
import type { Item, TableReader } from './table.ts';

/** Settings that the SDK would search for in the environment and in files, which takes 4 ms of a cold start. */
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

type Attributes = Parameters<typeof unmarshall>[0];

const fromAttributes = (attributes: Attributes): Item => unmarshall(attributes, { wrapNumbers: BigInt });

/** Creates the table of a query function, on the low-level client: the DocumentClient would slow the cold start. */
export function createQueryTable(name: string, config: DynamoDBClientConfig = {}): TableReader {
  const client = createClient({ ...fixedSettings, ...config });
  return {
    name,
    getItem: async (key) => {
      const get = new GetItemCommand({ TableName: name, Key: marshall(key), ConsistentRead: true });
      const { Item } = await responseOf(client.send(get));
      return Item && fromAttributes(Item);
    },
    async *queryPages({ ExpressionAttributeValues: values, ...query }) {
      const input = { TableName: name, ...query, ExpressionAttributeValues: marshall(values) };
      for await (const { Items = [] } of pagesOf(paginateQuery({ client }, input))) {
        yield Items.map(fromAttributes);
      }
    },
  };
}
