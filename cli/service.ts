import type { Chain, ChainName } from '../core/chains/chains.ts';
import type { UtcDay } from '../core/figures/calendar.ts';
import type { Upstream } from '../core/rpc/upstream.ts';
import type { SourceSettings } from '../core/settings/chain-settings.ts';
import type { ChainStore, Table } from '../core/store/table/table.ts';
import type { Announcement } from '../local/announcement.ts';
import { CommandError, usageError } from './exit-codes.ts';

/** The service that a command operates: a deployed stage, or the one on this machine. */
export interface OperatedService {
  /** Its name in messages. */
  readonly title: string;
  /** The flags that select it on a command line, such as ` --stage prod`. */
  readonly flags: string;
  /** Only for a deployed stage. */
  readonly access?: { readonly region?: string };
  readonly table: Table;
  readonly chains: readonly ServedChain[];
}

/** A chain of a service, with the settings of its ingest. */
export interface ServedChain extends SourceSettings {
  readonly name: ChainName;
  readonly chain: Chain;
  readonly store: ChainStore;
  /** First day that its schedule ingests, if it is configured. */
  readonly from?: UtcDay | undefined;
  /** A day that `npm start` leaves out on purpose. */
  readonly gap?: UtcDay | undefined;
  /** True for a chain that `npm start` makes up. */
  readonly isDevelopment?: boolean;
  /** Returns the endpoints that its ingest reads. */
  readonly createUpstreams: () => Promise<readonly Upstream[]>;
}

/** Chains, and the name in messages of what ingests them. */
interface Ingested<T> {
  readonly title: string;
  readonly chains: readonly T[];
}

/** Returns the named chains, or all. @throws CommandError when the service does not ingest one of them */
export const chainsOf = <T extends { readonly name: ChainName }>(
  service: Ingested<T>,
  names: readonly ChainName[] | undefined,
): readonly T[] => (names ? names.map((name) => chainIn(service, name)) : service.chains);

/** @throws CommandError when the service does not ingest it */
export function chainIn<T extends { readonly name: ChainName }>(
  { title, chains }: Ingested<T>,
  name: ChainName,
): T {
  const found = chains.find((chain) => chain.name === name);
  if (found) return found;
  const ingested = chains.map((chain) => chain.name).join(', ');
  throw usageError(`${title} does not ingest ${name}. It ingests ${ingested}.`);
}

/** Returns a function that opens something of each chain once, such as endpoints, whose health is then kept. */
export function oncePerChain<T>(open: (served: ServedChain) => Promise<T>) {
  const opened = new Map<ServedChain, Promise<T>>();
  return (served: ServedChain): Promise<T> => {
    const result = opened.get(served) ?? open(served);
    opened.set(served, result);
    return result;
  };
}

/** Returns the announcement of the only service, or of the one at a port. @throws CommandError when there is none */
export function chooseAnnouncement(running: ReadonlyMap<number, Announcement>, port: string | undefined) {
  const [only, ...others] = running.values();
  const selected = port ? running.get(Number(port)) : others.length === 0 ? only : undefined;
  if (selected) return selected;
  const ports = [...running.keys()].toSorted((a, b) => a - b).join(', ');
  const found = port
    ? `No service runs on this machine at port ${port}`
    : 'Several services run on this machine';
  const remedy = others.length === 0 ? 'Omit PORT, or set it to' : 'Set PORT to one of';
  throw new CommandError(
    only
      ? `${found}. ${remedy} ${ports}.`
      : 'No service runs on this machine. Run npm start in another terminal, or select a deployed service with --stage.',
  );
}
