import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Served, serve } from './serve.ts';

/** A request to AWS: the operation and its input; of an S3 object only the path. */
export interface AwsRequest {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A response: a result, of which undefined means that the object does not exist, an error, text that is sent unchanged, or none. */
export type AwsResponse =
  | { readonly result: unknown }
  | { readonly error: string; readonly status?: number }
  | { readonly body: string }
  | { readonly hang: true };

/** Returns the SSM response for a parameter. */
export const parameter = (Type: string, Value: string): AwsResponse => ({
  result: { Parameter: { Type, Value } },
});

/** The EventBridge response for an accepted event. */
export const ACCEPTED: AwsResponse = { result: { FailedEntryCount: 0, Entries: [{ EventId: '1' }] } };

/** The message of each error. */
export const SAID = 'said the service';

export interface AwsEndpoint extends Served {
  /** Environment of a process whose AWS clients use this endpoint. */
  readonly environment: Readonly<Record<string, string>>;
  readonly requests: readonly AwsRequest[];
}

/** Starts a local AWS endpoint with scripted responses: JSON services, CloudFormation and S3. */
export async function startAwsEndpoint(answer: (request: AwsRequest) => AwsResponse): Promise<AwsEndpoint> {
  const requests: AwsRequest[] = [];
  const server = createServer(async (request, response) => {
    const one = readAsked(
      String(request.headers['x-amz-target'] ?? ''),
      request.url ?? '',
      await text(request),
    );
    requests.push(one);
    const scripted = answer(one);
    if ('hang' in scripted) return;
    if ('body' in scripted) return response.end(scripted.body);
    if ('error' in scripted) {
      const { error, status = 400 } = scripted;
      return response.writeHead(status).end(JSON.stringify({ __type: error, message: SAID }));
    }
    if (scripted.result === undefined) return response.writeHead(404).end(NO_SUCH_KEY);
    return response.end(JSON.stringify(scripted.result));
  });
  const served = await serve(server);
  return {
    ...served,
    environment: {
      AWS_ENDPOINT_URL: served.url,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'nobody',
      AWS_SECRET_ACCESS_KEY: 'nothing',
    },
    requests,
  };
}

const NO_SUCH_KEY =
  '<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>';

function readAsked(target: string, url: string, body: string): AwsRequest {
  if (target) return { operation: target.slice(target.indexOf('.') + 1), input: JSON.parse(body) };
  const form = Object.fromEntries(new URLSearchParams(body));
  if (form.Action) return { operation: form.Action, input: form };
  return { operation: 'GetObject', input: { path: new URL(url, 'http://localhost').pathname } };
}

/** Returns CloudFormation's description of a stack with these outputs. */
export const stackXml = (outputs: Readonly<Record<string, string>>): string =>
  `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>
     <StackName>Test</StackName><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-11-01T00:00:00Z</CreationTime>
     <Outputs>${Object.entries(outputs)
       .map(
         ([key, value]) =>
           `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
       )
       .join('')}</Outputs>
   </member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
