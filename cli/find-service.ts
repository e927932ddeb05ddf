import type { CommonOptions } from './options.ts';
import type { OperatedService } from './service.ts';

/**
 * Finds the service that `--stage` selects. Loads only the modules of that kind of service: the one on this machine
 * needs development dependencies, and the AWS clients take long to load.
 * @throws CommandError when it does not exist or cannot be reached
 */
export async function findService({ stage }: CommonOptions): Promise<OperatedService> {
  if (stage === undefined) return (await import('./local-service.ts')).findLocalService();
  return (await import('./deployed-service.ts')).findDeployedService(stage);
}
