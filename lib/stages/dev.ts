import type { Stage } from '../config.ts';

/** The stage of `npx cdk deploy`. `npx cdk destroy` deletes all of it. */
export const dev: Stage = { requestsPerSecond: 25, logRetentionDays: 7 };
