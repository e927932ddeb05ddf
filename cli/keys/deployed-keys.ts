import {
  APIGatewayClient,
  type ApiKey,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  type GetUsageRequest,
  paginateGetApiKeys,
  paginateGetUsage,
  paginateGetUsagePlanKeys,
  UpdateApiKeyCommand,
} from '@aws-sdk/client-api-gateway';
import { addDays } from '../../core/figures/calendar.ts';
import { configOf, type DeployedService, findDeployedService } from '../deployed-service.ts';
import type { DayUsage, Key, KeyRequest, Keys, UsageRange } from './keys.ts';

/** The tag that holds the stack of a key. */
const STACK_TAG = 'chain-insights:stack';

/** The maximum of API Gateway. */
const pageSize = 500;

export type DeployedKeys = Keys & Pick<DeployedService, 'access'>;

interface Gateway {
  readonly client: APIGatewayClient;
  readonly stackName: string;
  /** Usage plan IDs by tier. */
  readonly plans: ReadonlyMap<string, string>;
}

/** Finds the API Gateway keys of a deployed stage. @throws CommandError when there is no such stage */
export async function findDeployedKeys(stage: string): Promise<DeployedKeys> {
  const { title, flags, outputs, access } = await findDeployedService(stage);
  const { tiers } = configOf(stage);
  // API Gateway allows an account 10 management requests a second, and 5 that create keys.
  const client = new APIGatewayClient({ ...access, retryMode: 'adaptive', maxAttempts: 8 });
  const gateway = { client, stackName: title, plans: plansIn(outputs) };
  return {
    title,
    flags,
    access,
    tiers: [...gateway.plans.keys()].map((name) => ({ name, limits: tiers[name] })),
    hasProbe: true,
    builtIn: [],
    list: () => listKeys(gateway),
    issue: (request) => issueKey(gateway, request),
    setEnabled: async ({ id }, enabled) => {
      const patchOperations = [{ op: 'replace' as const, path: '/enabled', value: String(enabled) }];
      await client.send(new UpdateApiKeyCommand({ apiKey: id, patchOperations }));
    },
    usage: async (keys, range) => {
      const plans = [...gateway.plans].filter(([name]) => keys.some(({ tier }) => tier === name));
      const [only, ...others] = keys;
      const keyId = others.length === 0 ? only?.id : undefined;
      const usages = plans.map(([, usagePlanId]) => readUsage(client, { usagePlanId, keyId }, range));
      return new Map((await Promise.all(usages)).flat());
    },
  };
}

/** Finds the usage plan of each tier in the stack outputs: `UsagePlanIdFree` is the plan of the tier `free`. */
const plansIn = (outputs: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(outputs).flatMap(([name, planId]) => {
      const [, tier] = /^UsagePlanId(.+)$/.exec(name) ?? [];
      return tier ? [[tier.replace(/^./, (first) => first.toLowerCase()), planId]] : [];
    }),
  );

/** Lists the keys in the plans of the stack, and those issued for it that are in no plan. */
async function listKeys({ client, stackName, plans }: Gateway): Promise<Key[]> {
  const [keys, ...inPlans] = await Promise.all([
    Array.fromAsync(paginateGetApiKeys({ client, pageSize }, { includeValues: false }), itemsOf),
    ...[...plans].map(async ([tier, usagePlanId]) => {
      const pages = paginateGetUsagePlanKeys({ client, pageSize }, { usagePlanId });
      return (await Array.fromAsync(pages, itemsOf)).flat().map(({ id = '' }) => [id, tier] as const);
    }),
  ]);
  const tierOf = new Map(inPlans.flat());
  return keys
    .flat()
    .filter(({ id = '', tags }) => tierOf.has(id) || tags?.[STACK_TAG] === stackName)
    .map((key) => keyOf(key, tierOf.get(key.id ?? '')));
}

const keyOf = ({ id = '', name = '', enabled = false, createdDate }: ApiKey, tier?: string): Key => ({
  id,
  name,
  tier,
  enabled,
  created_at: createdDate?.toISOString() ?? '',
});

/** Creates a key and adds it to the plan of its tier. When adding fails, deletes the key. */
async function issueKey({ client, stackName, plans }: Gateway, { name, tier }: KeyRequest) {
  const created = await client.send(
    new CreateApiKeyCommand({
      name,
      enabled: true,
      description: `Issued for ${stackName}, tier ${tier}`,
      tags: { [STACK_TAG]: stackName },
    }),
  );
  const key = keyOf(created, tier);
  try {
    const put = { usagePlanId: plans.get(tier), keyId: key.id, keyType: 'API_KEY' };
    await client.send(new CreateUsagePlanKeyCommand(put));
  } catch (error) {
    // In no plan, it is valid nowhere. `keys list` shows it when it cannot be deleted either.
    await client.send(new DeleteApiKeyCommand({ apiKey: key.id })).catch(() => {});
    throw error;
  }
  return { key, value: created.value ?? '' };
}

/** @returns the days of each key of the plan, by key ID */
async function readUsage(
  client: APIGatewayClient,
  plan: Pick<GetUsageRequest, 'usagePlanId' | 'keyId'>,
  { first, last }: UsageRange,
): Promise<[string, DayUsage[]][]> {
  const query = { ...plan, startDate: first, endDate: last };
  const pages = await Array.fromAsync(paginateGetUsage({ client, pageSize }, query));
  return pages
    .flatMap(({ items = {} }) => Object.entries(items))
    .map(([id, days]) => [
      id,
      // One pair of used and remaining requests per day, from the first day on.
      days.map(([requests = 0, remaining], index) => ({ date: addDays(first, index), requests, remaining })),
    ]);
}

const itemsOf = <Item>({ items = [] }: { readonly items?: Item[] | undefined }): Item[] => items;
