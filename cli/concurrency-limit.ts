import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Access } from './deployed-service.ts';

/** Reads how many executions at once the account allows in the region, without those that functions reserve. */
export async function readConcurrencyLimit(access: Access): Promise<number> {
  const { AccountLimit } = await new LambdaClient(access).send(new GetAccountSettingsCommand({}));
  return AccountLimit?.UnreservedConcurrentExecutions ?? 0;
}

/** The place to ask AWS for more. */
export const CONCURRENCY_QUOTA = 'Service Quotas (AWS Lambda, Concurrent executions)';
