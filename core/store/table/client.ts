import { types } from 'node:util';
import {
  type AttributeValue,
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
  paginateQuery,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { JsonProtocol } from './json-protocol.ts';
import type { Item, TableQuery, TableReader } from './table.ts';

/**
 * Creates a DynamoDB client. The SDK itself honours AWS_REGION and AWS_ENDPOINT_URL_DYNAMODB. Requests throw TableUnavailableError when
 * DynamoDB throttles or is down, and other errors of the SDK as they are.
 */
export function createClient(config: DynamoDBClientConfig): DynamoDBClient {
  // Three attempts end before API Gateway answers with 504, so that the function can still answer with 503.
  const client = new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
    ...config,
  });
  // This middleware redacts every response for a logger, even when there is no logger.
  client.middlewareStack.remove('loggerMiddleware');
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        throw types.isNativeError(error) && isUnavailable(error as SdkError)
          ? new TableUnavailableError(error)
          : error;
      }
    },
    { step: 'initialize' },
  );
  return client;
}

/**
 * Reads a whole number as bigint. Only people write other numbers. They are left for the schemas, whose errors name the item: an error
 * here would name none, and would fail all items of the page.
 */
export function wrapNumber(text: string): bigint | number {
  try {
    return BigInt(text);
  } catch {
    return Number(text);
  }
}

/** DynamoDB throttled the request or did not answer. A later attempt may succeed. */
export class TableUnavailableError extends Error {
  override readonly name = 'TableUnavailableError';

  constructor(cause: unknown) {
    super(
      `The table is unavailable: ${cause instanceof Error ? `${cause.name}, ${cause.message}` : cause}. Try again later.`,
      { cause },
    );
  }
}

type SdkError = Parameters<typeof isServerError>[0];

const isUnavailable = (error: SdkError) =>
  isThrottlingError(error) ||
  isTransientError(error) ||
  isServerError(error) ||
  error instanceof ResourceNotFoundException;

/** Without these settings, the SDK would search the environment and files for them, which takes 5 ms of a cold start. */
const fixedSettings = {
  accountIdEndpointMode: 'preferred',
  authSchemePreference: [],
  defaultsMode: 'legacy',
  disableClockSkewCorrection: false,
  retryMode: 'standard',
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  userAgentAppId: 'chain-insights',
  protocol: JsonProtocol,
} satisfies DynamoDBClientConfig;

/** Returns the endpoint that the environment names. The SDK would also search files, which a function does not have. */
function configuredEndpoint() {
  const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB ?? process.env.AWS_ENDPOINT_URL;
  return endpoint ? { endpoint } : { ignoreConfiguredEndpointUrls: true };
}

/** An item as DynamoDB sends it. */
export type Attributes = Record<string, AttributeValue>;

const fromAttributes = (attributes: Attributes): Item => unmarshall(attributes, { wrapNumbers: wrapNumber });

/** Creates the table of a query function. It uses the low-level client, because the DocumentClient would slow the cold start. */
export function createQueryTable(name: string, config: DynamoDBClientConfig = {}): TableReader {
  const client = createClient({ ...fixedSettings, ...configuredEndpoint(), ...config });
  return {
    name,
    getItem: async (key) => {
      const get = new GetItemCommand({ TableName: name, Key: marshall(key), ConsistentRead: true });
      const { Item } = await client.send(get);
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
  const ExpressionAttributeValues = marshall(values);
  const input = { TableName: name, ConsistentRead: true, ...query, ExpressionAttributeValues };
  for await (const { Items = [] } of paginateQuery({ client }, input)) yield Items;
}
