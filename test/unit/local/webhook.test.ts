import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { DayEvent } from '#core/events/day-events.ts';
import { createWebhook } from '#local/webhook.ts';
import { serve } from '#test/support/servers/serve.ts';

const { signal } = new AbortController();
const detail = { chain: 'BSC', date: '2026-11-18', fees: '1.5', revision: 1 };
const event = { source: 'chain-insights', 'detail-type': 'Day Final', detail } as DayEvent;

/** Starts a receiver. Returns the bodies that it got. */
async function startReceiver(answer: (response: ServerResponse, count: number) => unknown) {
  const bodies: { readonly detail: { readonly date: string } }[] = [];
  const server = createServer(async (request, response) => {
    bodies.push((await json(request)) as (typeof bodies)[number]);
    answer(response, bodies.length);
  });
  return { ...(await serve(server)), bodies };
}

test.each([301, 400, 404, 500, 503])('fails with status %s', async (status) => {
  await using receiver = await startReceiver((response) => response.writeHead(status).end());
  await expect(createWebhook(receiver.url)(event, signal)).rejects.toThrow(
    `EVENTS_WEBHOOK_URL returned HTTP status ${status}`,
  );
});

test('fails without the URL in the message when nothing listens, or the connection breaks', async () => {
  const receiver = await startReceiver((response) => response.destroy());
  const send = () => createWebhook(`${receiver.url}/hook?token=secret`)(event, signal);
  await expect(send()).rejects.toThrow('EVENTS_WEBHOOK_URL is unreachable (UND_ERR_SOCKET)');
  await receiver[Symbol.asyncDispose]();
  await expect(send()).rejects.toThrow('EVENTS_WEBHOOK_URL is unreachable (ECONNREFUSED)');
});
