import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import { pathOf, type Route } from '../api/routes.ts';
import { readRows, rowSchemas } from './row-schemas.ts';

const answerSchema = z.object({ statusCode: z.number(), body: z.string() });

/**
 * Invokes a version of a query function as API Gateway would, and checks the status and the schema of its response. Whether its data is
 * fresh says nothing about the version.
 * @param functionArn ARN of the version
 * @returns why the response is wrong; undefined when it is right
 */
export async function versionProblem(
  client: LambdaClient,
  handler: Route['handler'],
  functionArn: string,
  chain: string,
): Promise<string | undefined> {
  const { FunctionError, Payload } = await client.send(
    new InvokeCommand({ FunctionName: functionArn, Payload: JSON.stringify(eventOf(handler, chain)) }),
  );
  const text = Payload ? Buffer.from(Payload).toString() : '';
  if (FunctionError !== undefined) return `it failed: ${text.slice(0, 300)}`;
  const answer = answerSchema.safeParse(jsonOf(text));
  if (!answer.success) return `it returned no response: ${text.slice(0, 300)}`;
  const read = readRows<unknown>(rowSchemas[handler], answer.data.statusCode, answer.data.body);
  return 'problem' in read ? read.problem : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the parts of API Gateway's event that query functions read. */
function eventOf(handler: Route['handler'], chain: string) {
  const path = pathOf(handler);
  const query = handler === 'get-chains' ? {} : { chain, start_date: '7-days-ago', end_date: 'yesterday' };
  return {
    resource: path,
    path,
    httpMethod: 'GET',
    headers: { accept: 'application/json' },
    multiValueHeaders: { accept: ['application/json'] },
    multiValueQueryStringParameters: Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, [value]]),
    ),
    body: null,
    isBase64Encoded: false,
    requestContext: { requestId: 'release', extendedRequestId: 'release', path },
  };
}
