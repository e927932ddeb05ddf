import { apiTargets } from './api-targets.ts';
import { fileTargets } from './file-targets.ts';
import { settingTargets } from './setting-targets.ts';
import type { FuzzTarget } from './target.ts';

/** Everything that is fuzzed. `npm test` runs a fixed number of cases of each, `npm run fuzz` as many as fit the time. */
export const fuzzTargets: readonly FuzzTarget[] = [...apiTargets, ...fileTargets, ...settingTargets];
