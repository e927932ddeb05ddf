import type { Stage } from '../config.ts';

/** What `npx cdk deploy` deploys: everything by default, and gone without a trace after `npx cdk destroy`. */
export const dev: Stage = {
  table: { readUnits: 500, writeUnits: 100 },
  logRetentionDays: 7,
};
