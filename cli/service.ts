import type { Chain, ChainName } from '../core/chains/chains.ts';
import type { UtcDay } from '../core/figures/calendar.ts';
import type { Upstream } from '../core/rpc/upstream.ts';
import type { SourceSettings } from '../core/settings/chain-settings.ts';
import type { ChainStore, Table } from '../core/store/table/table.ts';
import { usageError } from './exit-codes.ts';

/** The service that a command operates: a deployed stage, or the one on this machine. */
export interface OperatedService {
  /** Its name in messages. */
  readonly title: string;
  /** The flags that select it on a command line, such as ` --stage prod`. */
  readonly flags: string;
  readonly table: Table;
  /** The chains that it ingests. */
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
  /** Returns the endpoints that its ingest reads. */
  readonly createUpstreams: () => Promise<readonly Upstream[]>;
}

/**
 * Returns the named chains, or all chains of the service.
 * @throws CommandError when the service does not ingest one of them
 */
export function chainsOf(
  service: OperatedService,
  names: readonly ChainName[] | undefined,
): readonly ServedChain[] {
  return names ? names.map((name) => chainIn(service, name)) : service.chains;
}

/** @throws CommandError when the service does not ingest it */
export function chainIn({ title, chains }: OperatedService, name: ChainName): ServedChain {
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
