import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import type { SendEvent } from '../core/events/day-events.ts';
import { sampleHeader } from '../lambda/api/sample-data.ts';

/** Returns a function that posts events to the URL, if any, as EventBridge does to targets. Those of a development chain say so. */
export const createWebhook =
  (url: string | undefined): SendEvent =>
  async (event, signal) => {
    if (!url) return;
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'chain-insights',
        ...sampleHeader([event.detail.chain]),
      },
      body: JSON.stringify({
        version: '0',
        id: randomUUID(),
        ...event,
        account: '000000000000',
        time: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
        region: 'local',
        resources: [],
      }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]),
    }).catch(({ code, name }: NodeJS.ErrnoException) => {
      // Without its message, which may contain the URL and its secrets.
      throw new Error(`EVENTS_WEBHOOK_URL is unreachable (${typeof code === 'string' ? code : name})`);
    });
    await body.dump();
    if (statusCode >= 300) throw new Error(`EVENTS_WEBHOOK_URL returned HTTP status ${statusCode}`);
  };
