import { chainOf } from '../lambda/chains/chains.ts';
import { secretEndpoints } from '../lambda/rpc/endpoint.ts';
import { openUpstream } from '../lambda/rpc/upstream.ts';
import { chainStore } from '../lambda/store/chain-store.ts';
import { openTable } from '../lambda/store/table.ts';
import { type Announcement, readAnnouncements } from '../local/announcement.ts';
import { developmentRow } from '../local/development-chain.ts';
import { EMBEDDED_TABLE_NAME, embeddedAccess } from '../local/embedded-table.ts';
import { CommandError } from './exit-codes.ts';
import type { OperatedService } from './service.ts';

/**
 * Opens the service that `npm start` runs on this machine.
 * @throws CommandError when none runs, or it is not clear which is meant
 */
export async function openLocalService(): Promise<OperatedService> {
  const { url, tableUrl, from, chains } = chooseAnnouncement(readAnnouncements(), process.env.PORT);
  const table = openTable(EMBEDDED_TABLE_NAME, { endpoint: tableUrl, ...embeddedAccess });
  return {
    title: `The service at ${url}`,
    flags: '',
    table,
    chains: chains.map(({ name, urls, confirmations, isDevelopment }) => {
      const chain = isDevelopment ? developmentRow(chainOf(name)) : chainOf(name);
      const openUpstreams = async () => secretEndpoints(chain, urls).map(openUpstream);
      const store = chainStore(table, name);
      return { name, chain, store, from, confirmations, openUpstreams };
    }),
  };
}

/**
 * The service that is meant.
 * @param port the one that it was started with, where there may be several
 * @throws CommandError when none runs, or it is not clear which is meant
 */
export function chooseAnnouncement(
  running: ReadonlyMap<number, Announcement>,
  port: string | undefined,
): Announcement {
  const [only, ...others] = running.values();
  const meant = port ? running.get(Number(port)) : only;
  if (meant && (port || others.length === 0)) return meant;
  if (only) {
    const ports = [...running.keys()].toSorted((a, b) => a - b).join(', ');
    throw new CommandError(
      port
        ? `No service runs on this machine at port ${port}. Say with PORT= which is meant: ${ports}.`
        : `Several services run on this machine. Say with PORT= which is meant: ${ports}.`,
    );
  }
  throw new CommandError(
    'No service runs on this machine. Start one with npm start in another terminal, or name a deployed one with --stage.',
  );
}
