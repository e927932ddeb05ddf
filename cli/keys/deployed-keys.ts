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
import { addDays } from '../../lambda/chains/utc-day.ts';
import { configOf, openDeployedService } from '../deployed-service.ts';
import { CommandError } from '../exit-codes.ts';
import type { DayUsage, IssuedKey, Key, Keys, KeyWish, Range } from './keys.ts';

/** How keys tell which stack they belong to, and what they came in place of. */
const TAGS = { stack: 'chain-insights:stack', replaces: 'chain-insights:replaces' } as const;

/** The most that API Gateway gives in one answer. */
const pageSize = 500;

interface Gateway {
  readonly client: APIGatewayClient;
  readonly stackName: string;
  /** The usage plan of each tier, by the tier's name. */
  readonly plans: ReadonlyMap<string, string>;
}

/**
 * Opens the keys of a deployed stage, which API Gateway keeps.
 * @throws CommandError when there is no such stage
 */
export async function openDeployedKeys(stage: string): Promise<Keys> {
  const { title, flags, stackName, outputs, access } = await openDeployedService(stage);
  const { tiers } = configOf(stage);
  // An account has 10 requests a second for all that manages its APIs, and 5 for making keys.
  const client = new APIGatewayClient({ ...access, retryMode: 'adaptive', maxAttempts: 8 });
  const gateway = { client, stackName, plans: plansIn(outputs) };
  return {
    title,
    flags,
    tiers: [...gateway.plans.keys()].map((name) => ({ name, limits: tiers[name] })),
    given: [],
    list: () => listKeys(gateway),
    issue: (wish) => issueKey(gateway, wish),
    setEnabled: async ({ id }, enabled) => {
      const patchOperations = [{ op: 'replace' as const, path: '/enabled', value: String(enabled) }];
      await answerOf(client.send(new UpdateApiKeyCommand({ apiKey: id, patchOperations })));
    },
    usage: async (keys, range) => {
      const asked = [...gateway.plans].filter(([name]) => keys.some(({ tier }) => tier === name));
      const [only, ...others] = keys;
      const keyId = others.length === 0 ? only?.id : undefined;
      const found = asked.map(([, usagePlanId]) => readUsage(client, { usagePlanId, keyId }, range));
      return new Map((await Promise.all(found)).flat());
    },
  };
}

/** The outputs of the stack have a plan for each tier, named `UsagePlanId` and the tier with a capital letter. */
const plansIn = (outputs: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(outputs).flatMap(([name, planId]) => {
      const [, tier] = /^UsagePlanId(.+)$/.exec(name) ?? [];
      return tier ? [[tier.replace(/^./, (first) => first.toLowerCase()), planId]] : [];
    }),
  );

/** Those in the plans of the stack, and those that were issued for it and are in none. */
async function listKeys({ client, stackName, plans }: Gateway): Promise<Key[]> {
  const [keys, ...inPlans] = await Promise.all([
    pagesOf(paginateGetApiKeys({ client, pageSize }, { includeValues: false })),
    ...[...plans].map(async ([tier, usagePlanId]) => {
      const members = await pagesOf(paginateGetUsagePlanKeys({ client, pageSize }, { usagePlanId }));
      return members.map(({ id = '' }) => [id, tier] as const);
    }),
  ]);
  const tierOf = new Map(inPlans.flat());
  return keys
    .filter(({ id = '', tags }) => tierOf.has(id) || tags?.[TAGS.stack] === stackName)
    .map((key) => keyOf(key, tierOf.get(key.id ?? '')));
}

const keyOf = ({ id = '', name = '', enabled = false, createdDate, tags }: ApiKey, tier?: string): Key => ({
  id,
  name,
  tier,
  enabled,
  created_at: createdDate?.toISOString() ?? '',
  replaces: tags?.[TAGS.replaces],
});

/** Makes a key and puts it into the plan of its tier; where that fails, no key is left. */
async function issueKey({ client, stackName, plans }: Gateway, wish: KeyWish): Promise<IssuedKey> {
  const { name, tier, replaces } = wish;
  const created = await answerOf(
    client.send(
      new CreateApiKeyCommand({
        name,
        enabled: true,
        description: `Issued for ${stackName}, tier ${tier}`,
        tags: { [TAGS.stack]: stackName, ...(replaces && { [TAGS.replaces]: replaces }) },
      }),
    ),
  );
  const key = { ...keyOf(created, tier), replaces };
  try {
    const put = { usagePlanId: plans.get(tier), keyId: key.id, keyType: 'API_KEY' };
    await answerOf(client.send(new CreateUsagePlanKeyCommand(put)));
  } catch (error) {
    await takeBack(client, key, error);
  }
  return { key, value: created.value ?? '' };
}

/** @throws the reason; where not even this works, CommandError with what is left to do */
async function takeBack(client: APIGatewayClient, { id }: Key, reason: unknown): Promise<never> {
  try {
    await answerOf(client.send(new DeleteApiKeyCommand({ apiKey: id })));
  } catch {
    throw new CommandError(
      `The new key ${id} could not be put into its usage plan (${reason}), nor be deleted again. It is accepted nowhere: delete it with aws apigateway delete-api-key --api-key ${id}.`,
    );
  }
  throw reason;
}

/** @returns the days of each key that the plan knows, by the keys' IDs */
async function readUsage(
  client: APIGatewayClient,
  plan: Pick<GetUsageRequest, 'usagePlanId' | 'keyId'>,
  { first, last }: Range,
): Promise<[string, DayUsage[]][]> {
  const asked = { ...plan, startDate: first, endDate: last };
  const pages = await answerOf(Array.fromAsync(paginateGetUsage({ client, pageSize }, asked)));
  return pages
    .flatMap(({ items = {} }) => Object.entries(items))
    .map(([id, days]) => [
      id,
      // One after the other from the first day on, each with what was used and what was left.
      days.map(([requests = 0, remaining], index) => ({ date: addDays(first, index), requests, remaining })),
    ]);
}

async function pagesOf<Item>(
  pages: AsyncIterable<{ readonly items?: readonly Item[] | undefined }>,
): Promise<Item[]> {
  const all = await answerOf(Array.fromAsync(pages, ({ items = [] }) => items));
  return all.flat();
}

/** @throws CommandError in place of what API Gateway says when it has enough; other errors stay as they are */
async function answerOf<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof Error) || !/^(TooManyRequests|LimitExceeded)/.test(error.name)) throw error;
    throw new CommandError(
      `API Gateway takes no more requests from this account for now (${error.message}): try again in a minute.`,
    );
  }
}
