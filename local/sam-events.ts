import { routes } from '../lambda/api/routes.ts';
import { addDays, type UtcDay } from '../lambda/chains/utc-day.ts';
import type { Config } from '../lib/config.ts';
import { ingestEventOf } from '../lib/ingest/event.ts';
import { proxyEventOf } from './proxy-event.ts';

/** A sample event of a function. */
export interface SampleEvent {
  /** Name of the function's file in lambda/, without extension. */
  readonly handler: string;
  readonly file: string;
  readonly event: object;
}

/** Returns a query for the first chain and the week before today. */
export const sampleQuery = ({ chains }: Pick<Config, 'chains'>, today: UtcDay) => ({
  chain: chains[0]?.name ?? '',
  start_date: addDays(today, -7),
  end_date: addDays(today, -1),
});

/** Returns a query per route and method, and the scheduled event of each chain. */
export function sampleEvents(config: Pick<Config, 'chains'>, today: UtcDay): readonly SampleEvent[] {
  const query = sampleQuery(config, today);
  const queries = routes.flatMap(({ path, handler }) => [
    { handler, file: `${handler}.get.json`, event: getOf(path, query) },
    { handler, file: `${handler}.post.json`, event: postOf(path, query) },
  ]);
  const runs = config.chains.map((chain) => ({
    handler: 'ingest',
    file: `ingest.${chain.name.toLowerCase()}.json`,
    event: ingestEventOf(chain),
  }));
  return [...queries, ...runs];
}

const HOST = 'api.example.com';

const common = {
  // Reserved for examples: https://www.rfc-editor.org/rfc/rfc5737
  sourceIp: '192.0.2.1',
  requestId: '00000000-0000-0000-0000-000000000000',
};
const headers = { accept: ['*/*'], host: [HOST], 'user-agent': ['sample'], 'x-api-key': ['local-key'] };

const getOf = (path: string, query: Readonly<Record<string, string>>) =>
  proxyEventOf({
    ...common,
    method: 'GET',
    url: new URL(`${path}?${new URLSearchParams(query)}`, `https://${HOST}`),
    headers,
    body: '',
  });

const postOf = (path: string, query: Readonly<Record<string, string>>) =>
  proxyEventOf({
    ...common,
    method: 'POST',
    url: new URL(path, `https://${HOST}`),
    headers: { ...headers, 'content-type': ['application/json'] },
    body: JSON.stringify(query),
  });
