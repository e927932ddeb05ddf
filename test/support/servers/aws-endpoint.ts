import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from './serve.ts';

/** A request to AWS: the operation and its input; of an S3 object only the path. */
export interface AwsRequest {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface AwsEndpoint extends AsyncDisposable {
  /** Environment of a process whose AWS clients use this endpoint. */
  readonly environment: Readonly<Record<string, string>>;
  readonly requests: readonly AwsRequest[];
}

/**
 * Starts a local AWS endpoint for a command in another process: JSON services, CloudFormation and S3.
 * @param answer text is sent unchanged, all else as JSON; undefined means that the object does not exist
 */
export async function startAwsEndpoint(answer: (request: AwsRequest) => unknown): Promise<AwsEndpoint> {
  const requests: AwsRequest[] = [];
  const server = createServer(async (request, response) => {
    const one = readAsked(
      String(request.headers['x-amz-target'] ?? ''),
      request.url ?? '',
      await text(request),
    );
    requests.push(one);
    const scripted = answer(one);
    if (scripted === undefined) return response.writeHead(404).end(NO_SUCH_KEY);
    return response.end(typeof scripted === 'string' ? scripted : JSON.stringify(scripted));
  });
  const { url, ...served } = await serve(server);
  return {
    ...served,
    environment: {
      AWS_ENDPOINT_URL: url,
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
