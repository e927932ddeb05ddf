import { apiTargets } from './api-targets.ts';
import { eraTargets } from './era-targets.ts';
import { fileTargets } from './file-targets.ts';
import { nodeTargets } from './node-targets.ts';
import type { FuzzTarget } from './target.ts';

/**
 * Everything that is fuzzed, in the order of the table. `npm test` runs a fixed number of cases of each, `npm run fuzz` as many
 * as fit the time.
 */
export const fuzzTargets: readonly FuzzTarget[] = [
  ...nodeTargets,
  ...apiTargets,
  ...fileTargets,
  ...eraTargets,
];
