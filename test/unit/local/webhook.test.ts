import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { type DayEvent, sendDueEvents } from '#core/events/day-events.ts';
import { putStoredDay } from '#core/store/days/stored-days.ts';
import { chainStore } from '#core/store/table/table.ts';
import { createWebhook } from '#local/webhook.ts';
import { storedDays } from '#test/support/generators/rows/stored-days.ts';
import { serve } from '#test/support/servers/serve.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';

const table = useMemoryTable();
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

test('delivers every day in order to a receiver that fails and breaks connections', async () => {
  const days = storedDays(5);
  for (const day of days) await putStoredDay(table(), day, 0);
  // The third request is received, but the sender does not learn it.
  const faults = new Map<number, (response: ServerResponse) => unknown>([
    [2, (response) => response.writeHead(500).end()],
    [3, (response) => response.destroy()],
  ]);
  await using receiver = await startReceiver((response, count) =>
    (faults.get(count) ?? (() => response.end()))(response),
  );
  const sendAll = () =>
    sendDueEvents(chainStore(table(), 'BSC'), createWebhook(receiver.url), { signal, now: Date.now });
  expect(await sendAll()).toContain('returned HTTP status 500');
  expect(await sendAll()).toContain('is unreachable');
  expect(await sendAll()).toBeUndefined();
  const [first, second, ...others] = days.map(({ date }) => date);
  expect(receiver.bodies.map((body) => body.detail.date)).toEqual([first, second, second, second, ...others]);
});
