import { types } from 'node:util';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
  PutItemCommand,
  paginateQuery,
  type QueryCommandInput,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';

/** The metrics table: partition key `chain`, sort key `date`. */
export interface Table {
  readonly client: DynamoDBClient;
  readonly name: string;
}

/**
 * For a client in a function: what the SDK would look for in the environment and in files, and never finds on Lambda, is said
 * here. Each search ends in two errors that are thrown away; all of them take 4 ms of a cold start.
 */
export const settled = {
  accountIdEndpointMode: 'preferred',
  authSchemePreference: [],
  defaultsMode: 'legacy',
  disableClockSkewCorrection: false,
  retryMode: 'standard',
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  userAgentAppId: 'chain-insights',
} satisfies DynamoDBClientConfig;

/** Opens the table. The SDK itself honours AWS_REGION and AWS_ENDPOINT_URL_DYNAMODB. */
export function openTable(name: string, config: DynamoDBClientConfig = {}): Table {
  // Each attempt is cut off early enough that a request can still be answered with 503, and not by the gateway with 504.
  const client = new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
    ...config,
  });
  // It walks through every answer to leave secrets out for a logger, even where there is none.
  client.middlewareStack.remove('loggerMiddleware');
  return { name, client };
}

/** An item, or part of one: numbers are bigint when read, since wei exceed what a number holds exactly. */
export type Item = Record<string, unknown>;

const toAttributes = (item: Item): Record<string, AttributeValue> =>
  marshall(item, { removeUndefinedValues: true });

const fromAttributes = (attributes: Record<string, AttributeValue>): Item =>
  unmarshall(attributes, { wrapNumbers: BigInt });

/** The table did not answer or asked to slow down. Trying again later may help. */
export class TableUnavailableError extends Error {
  override readonly name = 'TableUnavailableError';

  constructor(cause: unknown) {
    super(
      `The table is not available: ${cause instanceof Error ? `${cause.name}, ${cause.message}` : cause}`,
      { cause },
    );
  }
}

/**
 * Waits for an answer of the table.
 * @throws TableUnavailableError in place of the SDK's errors that mean it is throttled or away; others stay as they are
 */
export async function answerOf<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw types.isNativeError(error) && isUnavailable(error as SdkError)
      ? new TableUnavailableError(error)
      : error;
  }
}

type SdkError = Parameters<typeof isServerError>[0];

const isUnavailable = (error: SdkError) =>
  isThrottlingError(error) ||
  isTransientError(error) ||
  isServerError(error) ||
  error instanceof ResourceNotFoundException;

/** The item with a key, as it is after every write that has been answered, or undefined. */
export async function getItem(table: Table, key: Item): Promise<Item | undefined> {
  const get = new GetItemCommand({ TableName: table.name, Key: toAttributes(key), ConsistentRead: true });
  const { Item } = await answerOf(table.client.send(get));
  return Item && fromAttributes(Item);
}

/** What to find and how, with values as items have them. */
export type Query = Omit<QueryCommandInput, 'TableName' | 'ExpressionAttributeValues'> & {
  readonly ExpressionAttributeValues: Item;
};

/** The items that a query finds, in the order of their sort keys: read page by page, as fast as they are taken. */
export async function* queryPages(table: Table, query: Query): AsyncGenerator<readonly Item[], undefined> {
  const values = toAttributes(query.ExpressionAttributeValues);
  const pages = paginateQuery(
    { client: table.client },
    { TableName: table.name, ...query, ExpressionAttributeValues: values },
  );
  for (;;) {
    const { done, value } = await answerOf(pages.next());
    if (done) return;
    yield (value.Items ?? []).map(fromAttributes);
  }
}

/** All items that a query finds, in the order of their sort keys. */
export async function queryItems(table: Table, query: Query): Promise<Item[]> {
  return (await Array.fromAsync(queryPages(table, query))).flat();
}

/** A condition on the item that is there, with values as items have them. */
export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Item;
}

const toInput = ({ ExpressionAttributeValues: values, ...condition }: Condition) => ({
  ...condition,
  ...(values && { ExpressionAttributeValues: toAttributes(values) }),
});

/**
 * Writes an item under a condition.
 * @returns whether it was written: false when the condition did not hold, because another writer was there first
 */
export function putIf(table: Table, item: Item, condition: Condition): Promise<boolean> {
  const put = new PutItemCommand({
    TableName: table.name,
    Item: toAttributes(item),
    ...toInput(condition),
  });
  return whetherConditionHeld(table.client.send(put));
}

/** Removes an item, where a condition holds if one is given. */
export async function deleteItem(table: Table, key: Item, condition?: Condition): Promise<void> {
  const remove = new DeleteItemCommand({
    TableName: table.name,
    Key: toAttributes(key),
    ...(condition && toInput(condition)),
  });
  await whetherConditionHeld(table.client.send(remove));
}

async function whetherConditionHeld(write: Promise<unknown>): Promise<boolean> {
  try {
    await answerOf(write);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** The condition that no item with this key is there. */
export const isNew: Condition = { ConditionExpression: 'attribute_not_exists(chain)' };

/** The condition that a counter, which every write of the item raises, still has the value that was read; 0 means no item. */
export const isUnchanged = (counter: string, value: number): Condition =>
  value === 0
    ? isNew
    : {
        ConditionExpression: '#counter = :value',
        ExpressionAttributeNames: { '#counter': counter },
        ExpressionAttributeValues: { ':value': value },
      };
