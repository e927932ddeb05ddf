import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { endServer, LOOPBACK, listen } from '../../local/listen.ts';
import { openCannedTable } from '../query/canned-table.ts';

/** Serves the canned table over HTTP, for other processes. Repeated requests are answered from memory. */
export async function serveCannedTable(): Promise<{ readonly url: string } & AsyncDisposable> {
  const client = new DynamoDBClient(openCannedTable().config);
  const execute = async (operation: string, body: string): Promise<string> => {
    const input = JSON.parse(body);
    const { $metadata, ...output } = operation.endsWith('.Query')
      ? await client.send(new QueryCommand(input))
      : await client.send(new GetItemCommand(input));
    return JSON.stringify(output);
  };
  const results = new Map<string, Promise<string>>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const result = results.get(body) ?? execute(String(request.headers['x-amz-target']), body);
    results.set(body, result);
    response.setHeader('Content-Type', 'application/x-amz-json-1.0').end(await result);
  });
  const port = await listen(server, { host: LOOPBACK, port: 0 });
  return { url: `http://${LOOPBACK}:${port}`, [Symbol.asyncDispose]: () => endServer(server) };
}
