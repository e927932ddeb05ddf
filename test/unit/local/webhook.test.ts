import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { DayEvent } from '#core/events/day-events.ts';
import { environment } from '#lambda/environment.ts';
import { createWebhook } from '#local/webhook.ts';
import { serve } from '#test/support/servers/serve.ts';

afterEach(() => {
  delete process.env[environment.sampleChains];
});

const { signal } = new AbortController();
const detail = { chain: 'BSC', date: '2026-11-18', fees: '1.5', revision: 1 };
const event = { source: 'chain-insights', 'detail-type': 'Day Final', detail } as DayEvent;

/** Starts a receiver. Returns the requests and bodies that it got. */
async function startReceiver(answer: (response: ServerResponse, count: number) => unknown) {
  const bodies: { readonly detail: { readonly date: string } }[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    headers.push(request.headers);
    bodies.push((await json(request)) as (typeof bodies)[number]);
    answer(response, bodies.length);
  });
  return { ...(await serve(server)), bodies, headers };
}

test.each([301, 400, 404, 500, 503])('fails with status %s', async (status) => {
  await using receiver = await startReceiver((response) => response.writeHead(status).end());
  await expect(createWebhook(receiver.url)(event, signal)).rejects.toThrow(
    `EVENTS_WEBHOOK_URL returned HTTP status ${status}`,
  );
});

test('says which events are of a development chain, whose figures are invented', async () => {
  await using receiver = await startReceiver((response) => response.end());
  const send = createWebhook(receiver.url);
  process.env[environment.sampleChains] = 'BASE,BSC';
  await send(event, signal);
  await send({ ...event, detail: { ...event.detail, chain: 'OPTIMISM' } }, signal);
  expect(receiver.headers.map((one) => one['x-sample-data'])).toEqual(['true', undefined]);
});

test('fails without the URL in the message when nothing listens, or the connection breaks', async () => {
  const receiver = await startReceiver((response) => response.destroy());
  const send = () => createWebhook(`${receiver.url}/hook?token=secret`)(event, signal);
  await expect(send()).rejects.toThrow('EVENTS_WEBHOOK_URL is unreachable (UND_ERR_SOCKET)');
  await receiver[Symbol.asyncDispose]();
  await expect(send()).rejects.toThrow('EVENTS_WEBHOOK_URL is unreachable (ECONNREFUSED)');
});
