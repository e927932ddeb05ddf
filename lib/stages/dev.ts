import type { Stage } from '../config.ts';

/** The stage of `npx cdk deploy`. `npx cdk destroy` deletes all of it. */
export const dev: Stage = { table: { readUnits: 500, writeUnits: 100 }, logRetentionDays: 7 };
