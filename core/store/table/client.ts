import { types } from 'node:util';
import {
  DynamoDBClient,
  type DynamoDBClientConfig,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';

/** Creates a DynamoDB client. The SDK itself honours AWS_REGION and AWS_ENDPOINT_URL_DYNAMODB. */
export function createClient(config: DynamoDBClientConfig): DynamoDBClient {
  // Three attempts end before API Gateway answers with 504, so that the function can still answer with 503.
  const client = new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
    ...config,
  });
  // This middleware redacts every response for a logger, even when there is no logger.
  client.middlewareStack.remove('loggerMiddleware');
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

/**
 * Waits for a response of DynamoDB.
 * @throws TableUnavailableError when DynamoDB throttles or is down; other errors of the SDK as they are
 */
export async function responseOf<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw types.isNativeError(error) && isUnavailable(error as SdkError)
      ? new TableUnavailableError(error)
      : error;
  }
}

/** Reads pages. Throws like `responseOf`. */
export async function* pagesOf<Page>(pages: AsyncGenerator<Page, unknown>): AsyncGenerator<Page, undefined> {
  for (;;) {
    const { done, value } = await responseOf(pages.next());
    if (done) return;
    yield value as Page;
  }
}

type SdkError = Parameters<typeof isServerError>[0];

const isUnavailable = (error: SdkError) =>
  isThrottlingError(error) ||
  isTransientError(error) ||
  isServerError(error) ||
  error instanceof ResourceNotFoundException;
