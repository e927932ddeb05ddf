import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { type Served, serve } from '../../test/support/serve.ts';
import { openCannedTable } from '../query/canned-table.ts';

/** The canned table as a service, for a process of its own. What is asked for again is answered from memory. */
export function serveCannedTable(): Promise<Served> {
  const client = new DynamoDBClient(openCannedTable().config);
  const ask = async (operation: string, body: string): Promise<string> => {
    const input = JSON.parse(body);
    const { $metadata, ...output } = operation.endsWith('.Query')
      ? await client.send(new QueryCommand(input))
      : await client.send(new GetItemCommand(input));
    return JSON.stringify(output);
  };
  const answers = new Map<string, Promise<string>>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const answer = answers.get(body) ?? ask(String(request.headers['x-amz-target']), body);
    answers.set(body, answer);
    response.setHeader('Content-Type', 'application/x-amz-json-1.0').end(await answer);
  });
  return serve(server);
}
