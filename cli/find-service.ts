import { refuseOldTable } from '../core/store/chain/coverage.ts';
import type { CommonOptions } from './options.ts';
import type { OperatedService } from './service.ts';

/**
 * Finds the service that `--stage` selects, and loads its modules alone: the one on this machine needs development dependencies.
 * @throws CommandError when it does not exist or cannot be reached, and OldTableError
 */
export async function findService({ stage }: CommonOptions): Promise<OperatedService> {
  if (stage === undefined)
    return refuseOldTables(await (await import('./local-service.ts')).findLocalService());
  return refuseOldTables(await (await import('./deployed-service.ts')).findDeployedService(stage));
}

/** Returns the service. @throws OldTableError when an older version has written its table */
export async function refuseOldTables<Service extends OperatedService>(service: Service): Promise<Service> {
  await Promise.all(service.chains.map(({ store }) => refuseOldTable(store)));
  return service;
}
