import { chainOf } from '../core/chains/chains.ts';
import { secretEndpoints } from '../core/rpc/endpoint.ts';
import { createUpstream } from '../core/rpc/upstream.ts';
import { createDocumentTable } from '../core/store/table/document-table.ts';
import { chainStore } from '../core/store/table/table.ts';
import { readAnnouncements } from '../local/announcement.ts';
import { developmentDefinition } from '../local/development-chain.ts';
import { EMBEDDED_TABLE_NAME, embeddedAccess } from '../local/embedded-table.ts';
import { chooseAnnouncement, type OperatedService } from './service.ts';

/** Finds the service that `npm start` runs on this machine. @throws CommandError when PORT does not select one */
export async function findLocalService(): Promise<OperatedService> {
  const { url, tableUrl, from, chains } = chooseAnnouncement(readAnnouncements(), process.env.PORT);
  const table = createDocumentTable(EMBEDDED_TABLE_NAME, { endpoint: tableUrl, ...embeddedAccess });
  return {
    title: `The service at ${url}`,
    // Others may run: without PORT, the same line might not find this one.
    flags: process.env.PORT ? `PORT=${process.env.PORT}` : '',
    table,
    chains: chains.map(({ name, urls, firstDay, ...settings }) => {
      const chain = firstDay ? developmentDefinition(chainOf(name), firstDay) : chainOf(name);
      const createUpstreams = async () => secretEndpoints(chain, urls).map(createUpstream);
      const store = chainStore(table, name);
      const isDevelopment = firstDay !== undefined;
      return { name, chain, store, from, isDevelopment, ...settings, createUpstreams };
    }),
  };
}
