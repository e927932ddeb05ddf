import { routes } from '../lambda/api/routes.ts';
import { addDays, type UtcDay } from '../lambda/chains/utc-day.ts';
import type { Config } from '../lib/config.ts';
import { ingestEventOf } from '../lib/ingest/event.ts';
import { proxyEventOf } from './proxy-event.ts';

/** What a function may be invoked with, as it comes from AWS. */
export interface SampleEvent {
  /** The function's file in lambda/, without its ending. */
  readonly handler: string;
  readonly file: string;
  readonly event: object;
}

/** The week before today, of the first chain. */
export const sampleQuery = ({ chains }: Pick<Config, 'chains'>, today: UtcDay) => ({
  chain: chains[0]?.name ?? '',
  start_date: addDays(today, -7),
  end_date: addDays(today, -1),
});

/** A query of each route by each method, and what the schedule of each chain sends. */
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
  // Of the addresses that are kept for examples. https://www.rfc-editor.org/rfc/rfc5737
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
