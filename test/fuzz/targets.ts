import { apiTargets } from './api-targets.ts';
import { fileTargets } from './file-targets.ts';
import { settingTargets } from './setting-targets.ts';
import type { FuzzTarget } from './target.ts';

/**
 * Everything that is fuzzed, in the order of the table. Add the decoders of node responses here, from a file `node-targets.ts`.
 * `npm test` runs a fixed number of cases of each, `npm run fuzz` as many as fit the time.
 */
export const fuzzTargets: readonly FuzzTarget[] = [...apiTargets, ...fileTargets, ...settingTargets];
