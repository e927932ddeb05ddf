import { types } from 'node:util';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  type DynamoDBClientConfig,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  PutCommand,
  type PutCommandInput,
  paginateQuery,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';

/** The metrics table: partition key `chain`, sort key `date`. */
export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly name: string;
}

/** Opens the table. The SDK itself honours AWS_REGION and AWS_ENDPOINT_URL_DYNAMODB. */
export function openTable(name: string, config: DynamoDBClientConfig = {}): Table {
  // Each attempt is cut off early enough that a request can still be answered with 503, and not by the gateway with 504.
  const client = new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
    ...config,
  });
  return {
    name,
    client: DynamoDBDocumentClient.from(client, {
      marshallOptions: { removeUndefinedValues: true },
      // Wei exceed what a number holds exactly, so every number of the table is a bigint here.
      unmarshallOptions: { wrapNumbers: BigInt },
    }),
  };
}

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

/** All items that a query finds, in the order of their sort keys. */
export async function queryItems(
  table: Table,
  query: Omit<QueryCommandInput, 'TableName'>,
): Promise<Record<string, unknown>[]> {
  const pages = paginateQuery({ client: table.client }, { TableName: table.name, ...query });
  const items = await answerOf(Array.fromAsync(pages, ({ Items = [] }) => Items));
  return items.flat();
}

/**
 * Writes an item under a condition.
 * @returns whether it was written: false when the condition did not hold, because another writer was there first
 */
export function putIf(
  table: Table,
  item: Record<string, unknown>,
  condition: Partial<PutCommandInput>,
): Promise<boolean> {
  const put = new PutCommand({ TableName: table.name, Item: item, ...condition });
  return whetherConditionHeld(answerOf(table.client.send(put)));
}

/** Waits for a write under a condition, and tells whether that held. */
export async function whetherConditionHeld(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** The condition that no item with this key is there. */
export const isNew = { ConditionExpression: 'attribute_not_exists(chain)' };

/** The condition that a counter, which every write of the item raises, still has the value that was read; 0 means no item. */
export const isUnchanged = (counter: string, value: number): Partial<PutCommandInput> =>
  value === 0
    ? isNew
    : {
        ConditionExpression: '#counter = :value',
        ExpressionAttributeNames: { '#counter': counter },
        ExpressionAttributeValues: { ':value': value },
      };
