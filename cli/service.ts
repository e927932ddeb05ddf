import type { Chain, ChainName } from '../lambda/chains/chains.ts';
import type { UtcDay } from '../lambda/chains/utc-day.ts';
import type { Upstream } from '../lambda/rpc/upstream.ts';
import type { Table } from '../lambda/store/table.ts';
import { openDeployedService } from './deployed-service.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { openLocalService } from './local-service.ts';
import type { CommonOptions } from './options.ts';

/** The service that a command works on: one that is deployed, or the one that runs on this machine. */
export interface Service {
  /** What it is called in messages. */
  readonly title: string;
  /** What a command line that goes on with it needs, such as `--stage prod`. */
  readonly flags: string;
  readonly table: Table;
  /** The chains that it ingests. */
  readonly chains: readonly ServedChain[];
}

export interface ServedChain {
  readonly name: ChainName;
  readonly chain: Chain;
  /** First day that its schedule ingests. */
  readonly from: UtcDay;
  readonly confirmations?: number | undefined;
  /** Opens the endpoints that its ingest reads. */
  readonly openUpstreams: () => Promise<readonly Upstream[]>;
}

/** @throws CommandError when there is no such service, or it cannot be reached */
export const openService = ({ stage }: CommonOptions): Promise<Service> =>
  stage === undefined ? openLocalService() : openDeployedService(stage);

/**
 * The chains to work on: those named, or all.
 * @throws CommandError when the service does not have one of them
 */
export function chainsOf(service: Service, names: readonly ChainName[] | undefined): readonly ServedChain[] {
  return names ? names.map((name) => chainIn(service, name)) : service.chains;
}

/** @throws CommandError when the service does not have it */
export function chainIn({ title, chains }: Service, name: ChainName): ServedChain {
  const found = chains.find((chain) => chain.name === name);
  if (found) return found;
  const known = chains.map((chain) => chain.name).join(', ');
  throw new CommandError(`${title} does not ingest ${name}; it has ${known}.`, exitCodes.usage);
}
