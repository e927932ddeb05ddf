import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import type { DayEvent, SendEvent } from '../core/events/day-events.ts';

const TIMEOUT_MS = 5_000;

/**
 * Returns a function that posts events to a URL, in the form in which EventBridge hands them to the targets of a rule. Without a
 * URL, events go nowhere, as on a bus without rules.
 * @param timeoutMs only for tests
 */
export const createWebhook =
  (url: string | undefined, timeoutMs = TIMEOUT_MS): SendEvent =>
  async (event, signal) => {
    if (!url) return;
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'chain-insights' },
      body: JSON.stringify(envelopeOf(event)),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    }).catch((error: NodeJS.ErrnoException) => {
      throw new Error(`EVENTS_WEBHOOK_URL is unreachable (${codeOf(error)})`);
    });
    await body.dump();
    if (statusCode >= 300) throw new Error(`EVENTS_WEBHOOK_URL returned HTTP status ${statusCode}`);
  };

const envelopeOf = ({ detail, ...event }: DayEvent) => ({
  version: '0',
  id: randomUUID(),
  ...event,
  account: '000000000000',
  time: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
  region: 'local',
  resources: [],
  detail,
});

/** Names an error without its message, which may contain the URL and its secrets. */
const codeOf = ({ code, name }: NodeJS.ErrnoException) => (typeof code === 'string' ? code : name);
