import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from './serve.ts';

/** What was asked of AWS: the name of an operation, and what it was given; of an object only its path. */
export interface Asked {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface AwsEndpoint extends AsyncDisposable {
  /** For a process whose clients are to ask here, whatever the service. */
  readonly environment: Readonly<Record<string, string>>;
  readonly asked: readonly Asked[];
}

/**
 * AWS on this machine, for a command as a process: those of its services that talk JSON, CloudFormation and S3.
 * @param answer text is sent as it is, all else as JSON; undefined means that there is no such object
 */
export async function startAwsEndpoint(answer: (asked: Asked) => unknown): Promise<AwsEndpoint> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const one = readAsked(
      String(request.headers['x-amz-target'] ?? ''),
      request.url ?? '',
      await text(request),
    );
    asked.push(one);
    const told = answer(one);
    if (told === undefined) return response.writeHead(404).end(NO_SUCH_KEY);
    return response.end(typeof told === 'string' ? told : JSON.stringify(told));
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
    asked,
  };
}

const NO_SUCH_KEY =
  '<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>';

function readAsked(target: string, url: string, body: string): Asked {
  if (target) return { operation: target.slice(target.indexOf('.') + 1), input: JSON.parse(body) };
  const form = Object.fromEntries(new URLSearchParams(body));
  if (form.Action) return { operation: form.Action, input: form };
  return { operation: 'GetObject', input: { path: new URL(url, 'http://localhost').pathname } };
}

/** What CloudFormation tells of a stack with these outputs. */
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
