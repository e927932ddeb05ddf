import { createServer } from 'node:http';
import {
  APIGatewayClient,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  GetApiKeysCommand,
  GetUsageCommand,
  GetUsagePlanKeysCommand,
  UpdateApiKeyCommand,
} from '@aws-sdk/client-api-gateway';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { findDeployedKeys } from '#cli/keys/deployed-keys.ts';
import { embeddedCredentials } from '#local/embedded-table.ts';
import { serve } from '#test/support/servers/serve.ts';

const VALUE = 'a-value-that-nobody-may-see';
const CREATED = new Date('2026-11-20T10:00:00Z');
const OUTPUTS = { TableName: 'table', UsagePlanIdFree: 'plan-f', UsagePlanIdStandard: 'plan-s' };

const cloudFormation = mockClient(CloudFormationClient);
const gateway = mockClient(APIGatewayClient);
beforeEach(() => {
  Object.assign(process.env, embeddedCredentials);
  gateway.reset();
  const Outputs = Object.entries(OUTPUTS).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
  cloudFormation
    .reset()
    .on(DescribeStacksCommand, { StackName: 'ChainInsights-prod' })
    .resolves({
      Stacks: [
        { StackName: 'ChainInsights-prod', CreationTime: CREATED, StackStatus: 'CREATE_COMPLETE', Outputs },
      ],
    });
});

const sent = () => gateway.calls().map(({ args: [command] }) => [command.constructor.name, command.input]);

test('takes tiers from the usage plans of the stack and limits from the stage file', async () => {
  const { title, flags, tiers, builtIn } = await findDeployedKeys('prod');
  expect({ title, flags, builtIn }).toEqual({
    title: 'ChainInsights-prod',
    flags: ' --stage prod',
    builtIn: [],
  });
  expect(tiers).toEqual([
    { name: 'free', limits: { ratePerSecond: 5, burst: 10, requestsPerMonth: 10_000 } },
    { name: 'standard', limits: { ratePerSecond: 20, burst: 40, requestsPerMonth: 1_000_000 } },
  ]);
});

test('creates a key with the tag of the stack and adds it to the plan of its tier', async () => {
  gateway
    .on(CreateApiKeyCommand)
    .resolves({ id: 'k1', name: 'alice', enabled: true, createdDate: CREATED, value: VALUE })
    .on(CreateUsagePlanKeyCommand)
    .resolves({});
  const keys = await findDeployedKeys('prod');
  expect(await keys.issue({ name: 'alice', tier: 'standard' })).toEqual({
    key: { id: 'k1', name: 'alice', tier: 'standard', enabled: true, created_at: '2026-11-20T10:00:00.000Z' },
    value: VALUE,
  });
  expect(sent()).toEqual([
    [
      'CreateApiKeyCommand',
      {
        name: 'alice',
        enabled: true,
        description: 'Issued for ChainInsights-prod, tier standard',
        tags: { 'chain-insights:stack': 'ChainInsights-prod' },
      },
    ],
    ['CreateUsagePlanKeyCommand', { usagePlanId: 'plan-s', keyId: 'k1', keyType: 'API_KEY' }],
  ]);
});

test.each(['resolves', 'rejects'] as const)(
  'deletes a new key that cannot be added to its plan (%s)',
  async (deletion) => {
    gateway
      .on(CreateApiKeyCommand)
      .resolves({ id: 'k1', value: VALUE })
      .on(CreateUsagePlanKeyCommand)
      .rejects(new Error('no such plan'))
      .on(DeleteApiKeyCommand)
      [deletion]({});
    const keys = await findDeployedKeys('prod');
    await expect(keys.issue({ name: 'alice', tier: 'free' })).rejects.toThrow('no such plan');
    expect(sent().at(-1)).toEqual(['DeleteApiKeyCommand', { apiKey: 'k1' }]);
  },
);

test('lists the keys of the stack from all pages, without those of other stacks', async () => {
  const key = (id: string, more = {}) => ({
    id,
    name: `of ${id}`,
    enabled: true,
    createdDate: CREATED,
    ...more,
  });
  const tags = { 'chain-insights:stack': 'ChainInsights-prod' };
  gateway
    .on(GetApiKeysCommand, { includeValues: false, limit: 500 })
    .resolves({ items: [key('k1'), key('foreign')], position: 'next' })
    .on(GetApiKeysCommand, { includeValues: false, position: 'next' })
    .resolves({
      items: [
        key('k2', { enabled: false, tags }),
        key('in-no-plan', { tags }),
        key('of-dev', { tags: { 'chain-insights:stack': 'ChainInsights-dev' } }),
      ],
    })
    .on(GetUsagePlanKeysCommand, { usagePlanId: 'plan-f' })
    .resolves({ items: [{ id: 'k1', value: VALUE }], position: 'more' })
    .on(GetUsagePlanKeysCommand, { usagePlanId: 'plan-f', position: 'more' })
    .resolves({ items: [{ id: 'gone', value: VALUE }] })
    .on(GetUsagePlanKeysCommand, { usagePlanId: 'plan-s' })
    .resolves({ items: [{ id: 'k2', value: VALUE }] });
  const found = await (await findDeployedKeys('prod')).list();
  expect(found.map(({ id, tier, enabled }) => [id, tier, enabled])).toEqual([
    ['k1', 'free', true],
    ['k2', 'standard', false],
    ['in-no-plan', undefined, true],
  ]);
  expect(JSON.stringify(found)).not.toContain(VALUE);
});

test('disables and enables a key', async () => {
  gateway.on(UpdateApiKeyCommand).resolves({});
  const keys = await findDeployedKeys('prod');
  const key = { id: 'k1', name: 'alice', enabled: true, created_at: '' };
  await keys.setEnabled(key, false);
  await keys.setEnabled(key, true);
  const patch = (value: string) => [{ op: 'replace', path: '/enabled', value }];
  expect(sent()).toEqual([
    ['UpdateApiKeyCommand', { apiKey: 'k1', patchOperations: patch('false') }],
    ['UpdateApiKeyCommand', { apiKey: 'k1', patchOperations: patch('true') }],
  ]);
});

const range = { first: '2026-10-31', last: '2026-11-01' };
const dates = { startDate: range.first, endDate: range.last };

test('reads usage from all plans and pages, one pair per day', async () => {
  gateway
    .on(GetUsageCommand, { usagePlanId: 'plan-f', ...dates })
    .resolves({
      items: {
        k1: [
          [3, 9_997],
          [0, 10_000],
        ],
      },
      position: 'next',
    })
    .on(GetUsageCommand, { usagePlanId: 'plan-f', ...dates, position: 'next' })
    .resolves({
      items: {
        k3: [
          [1, 9_999],
          [2, 9_998],
        ],
      },
    })
    .on(GetUsageCommand, { usagePlanId: 'plan-s', ...dates })
    .resolves({ items: {} });
  const keys = [
    { id: 'k1', name: 'alice', tier: 'free' },
    { id: 'k2', name: 'bob', tier: 'standard' },
    { id: 'k3', name: 'carol', tier: 'free' },
  ];
  const usage = await (await findDeployedKeys('prod')).usage(keys, range);
  expect(usage).toEqual(
    new Map([
      [
        'k1',
        [
          { date: '2026-10-31', requests: 3, remaining: 9_997 },
          { date: '2026-11-01', requests: 0, remaining: 10_000 },
        ],
      ],
      [
        'k3',
        [
          { date: '2026-10-31', requests: 1, remaining: 9_999 },
          { date: '2026-11-01', requests: 2, remaining: 9_998 },
        ],
      ],
    ]),
  );
});

test('requests the usage of a single key from its plan only', async () => {
  gateway.on(GetUsageCommand).resolves({ items: {} });
  await (await findDeployedKeys('prod')).usage([{ id: 'k2', name: 'bob', tier: 'standard' }], range);
  expect(sent()).toEqual([['GetUsageCommand', { usagePlanId: 'plan-s', keyId: 'k2', ...dates, limit: 500 }]]);
});

test('sends no request for a key in no plan', async () => {
  const usage = await (await findDeployedKeys('prod')).usage([{ id: 'k9', name: 'zoe' }], range);
  expect([...usage]).toEqual([]);
  expect(sent()).toEqual([]);
});

test('retries a throttled request', async () => {
  // The mock bypasses the client's retries. It cannot be set up again, so this test comes last.
  gateway.restore();
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    if (requests > 2) response.end(JSON.stringify({ id: 'k1' }));
    else response.writeHead(429, { 'x-amzn-errortype': 'TooManyRequestsException' }).end('{}');
  });
  await using service = await serve(server);
  process.env.AWS_ENDPOINT_URL_API_GATEWAY = service.url;
  const keys = await findDeployedKeys('prod');
  await keys.setEnabled({ id: 'k1', name: 'alice', enabled: true, created_at: '' }, false);
  expect(requests).toBe(3);
});
