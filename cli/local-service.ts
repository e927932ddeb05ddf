import { chainOf } from '../core/chains/chains.ts';
import { secretEndpoints } from '../core/rpc/endpoint.ts';
import { createUpstream } from '../core/rpc/upstream.ts';
import { createDocumentTable } from '../core/store/document-table.ts';
import { chainStore } from '../core/store/table.ts';
import { type Announcement, readAnnouncements } from '../local/announcement.ts';
import { developmentDefinition } from '../local/development-chain.ts';
import { EMBEDDED_TABLE_NAME, embeddedAccess } from '../local/embedded-table.ts';
import { CommandError } from './exit-codes.ts';
import type { OperatedService } from './service.ts';

/**
 * Finds the service that `npm start` runs on this machine.
 * @throws CommandError when none runs, or several run and PORT selects none of them
 */
export async function findLocalService(): Promise<OperatedService> {
  const { url, tableUrl, from, chains } = chooseAnnouncement(readAnnouncements(), process.env.PORT);
  const table = createDocumentTable(EMBEDDED_TABLE_NAME, { endpoint: tableUrl, ...embeddedAccess });
  return {
    title: `The service at ${url}`,
    // Others may run: without PORT, the same line might not find this one.
    flags: process.env.PORT ? `PORT=${process.env.PORT}` : '',
    table,
    chains: chains.map(({ name, urls, isDevelopment, ...settings }) => {
      const chain = isDevelopment ? developmentDefinition(chainOf(name)) : chainOf(name);
      const createUpstreams = async () => secretEndpoints(chain, urls).map(createUpstream);
      const store = chainStore(table, name);
      return { name, chain, store, from, ...settings, createUpstreams };
    }),
  };
}

/**
 * Returns the announcement of the service to operate.
 * @param port selects one of several
 * @throws CommandError when none runs, or several run and `port` selects none of them
 */
export function chooseAnnouncement(
  running: ReadonlyMap<number, Announcement>,
  port: string | undefined,
): Announcement {
  const [only, ...others] = running.values();
  const selected = port ? running.get(Number(port)) : only;
  if (selected && (port || others.length === 0)) return selected;
  if (only) {
    const ports = [...running.keys()].toSorted((a, b) => a - b).join(', ');
    const advice = others.length > 0 ? `Set PORT to one of ${ports}.` : `Set PORT=${ports}.`;
    throw new CommandError(
      port
        ? `No service runs on this machine at port ${port}. ${advice}`
        : `Several services run on this machine. ${advice}`,
    );
  }
  throw new CommandError(
    'No service runs on this machine. Run npm start in another terminal, or select a deployed service with --stage.',
  );
}
