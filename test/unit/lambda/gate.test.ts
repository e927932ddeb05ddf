import { CodeDeployClient, PutLifecycleEventHookExecutionStatusCommand } from '@aws-sdk/client-codedeploy';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { addDays, dayOf } from '#core/figures/calendar.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { putDay } from '#core/store/days.ts';
import { refreshCoverage } from '#core/store/refresh-coverage.ts';
import { chainStore } from '#core/store/table.ts';
import { type Route, routes } from '#lambda/api/routes.ts';
import { environment } from '#lambda/environment.ts';
import { handler } from '#lambda/gate.ts';
import { type EmbeddedTable, startEmbeddedTable } from '#local/embedded-table.ts';
import { type Handlers, loadHandlers } from '#local/handlers.ts';
import { hashOf, provenance } from '#test/support/generators/builders.ts';

const lambda = mockClient(LambdaClient);
const codeDeploy = mockClient(CodeDeployClient);
const before = { ...process.env };
const names = routes.map(({ handler }) => handler);
const arnOf = (name: string) => `arn:aws:lambda:eu-central-1:111122223333:function:${name}:7`;
const context = { getRemainingTimeInMillis: () => 20_000 } as Context;
const YESTERDAY = addDays(dayOf(Date.now() / 1_000), -1);

let table: EmbeddedTable;
let goodVersions: Handlers;
beforeAll(async () => {
  table = await startEmbeddedTable();
  const store = chainStore(table, 'BASE');
  const last = { number: 9, hash: hashOf(9) };
  await putDay(store, { day: YESTERDAY, totals: NO_TOTALS, last, definitionVersion: 1 }, provenance());
  await refreshCoverage(store, YESTERDAY);
  goodVersions = await loadHandlers(table, { BASE: YESTERDAY });
});

beforeEach(() => {
  process.env[environment.releasedVersions] = JSON.stringify(
    Object.fromEntries(names.map((name) => [name, arnOf(name)])),
  );
  process.env[environment.probedChains] = JSON.stringify(['BASE']);
  lambda.reset();
  codeDeploy.reset().on(PutLifecycleEventHookExecutionStatusCommand).resolves({});
  for (const level of ['info', 'error'] as const) jest.spyOn(console, level).mockImplementation(() => {});
});
afterAll(async () => {
  process.env = before;
  await table.close();
});

/** Runs the hook on the functions of this version, some of which are replaced. Returns the status that CodeDeploy gets, and the problems. */
async function release(replaced: Partial<Handlers> = {}) {
  const versions = { ...goodVersions, ...replaced };
  lambda.on(InvokeCommand).callsFake(async ({ FunctionName, Payload }) => {
    const name = names.find((one) => FunctionName === arnOf(one));
    if (!name) throw new Error(`${FunctionName} is no new version`);
    const answer = await versions[name](JSON.parse(String(Payload)), context);
    return { Payload: Buffer.from(JSON.stringify(answer)) };
  });
  const { problems } = await handler({ DeploymentId: 'd-1', LifecycleEventHookExecutionId: 'e-1' });
  expect(codeDeploy.calls()).toHaveLength(1);
  const { status, ...hook } = { ...codeDeploy.call(0).args[0].input } as Record<string, unknown>;
  expect(hook).toEqual({ deploymentId: 'd-1', lifecycleEventHookExecutionId: 'e-1' });
  return { status, problems };
}

const answering =
  (statusCode: number, body: unknown): Handlers[Route['handler']] =>
  async () => ({ statusCode, body: typeof body === 'string' ? body : JSON.stringify(body) });

test('lets a release continue whose versions answer as documented, and tries each of them', async () => {
  expect(await release()).toEqual({ status: 'Succeeded', problems: [] });
  const tried = lambda.commandCalls(InvokeCommand).map(({ args: [{ input }] }) => input.FunctionName);
  expect(tried.toSorted()).toEqual(names.map(arnOf).toSorted());
});

test.each<[string, Partial<Handlers>, RegExp]>([
  [
    'answers 500',
    { 'get-fees': answering(500, '{"title":"Internal Server Error"}') },
    /^get-fees: the status is 500: /,
  ],
  [
    'gives fees as a number',
    { 'get-fees': answering(200, [{ date: YESTERDAY, fees: 1 }]) },
    /not as documented: 0\.fees/,
  ],
  ['answers with a page', { 'get-days': answering(200, '<html>') }, /^get-days: the body is not JSON/],
  [
    'lost a column of a chain',
    { 'get-chains': answering(200, [{ chain: 'BASE' }]) },
    /not as documented: 0\.last_final_day/,
  ],
])('stops a release that %s', async (_, replaced, problem) => {
  expect(await release(replaced)).toEqual({ status: 'Failed', problems: [expect.stringMatching(problem)] });
});

test('stops a release that crashes or cannot be invoked', async () => {
  const crash = async () => {
    throw new Error('no such module');
  };
  const { status, problems } = await release({ 'get-days': crash });
  expect([status, problems]).toEqual([
    'Failed',
    ['get-days: it could not be invoked: Error: no such module'],
  ]);
});

test('stops a release whose version reports an error of its function', async () => {
  await release();
  codeDeploy.reset().on(PutLifecycleEventHookExecutionStatusCommand).resolves({});
  lambda.reset().on(InvokeCommand).resolves({ FunctionError: 'Unhandled' });
  const { problems } = await handler({ DeploymentId: 'd-1', LifecycleEventHookExecutionId: 'e-1' });
  expect(problems).toHaveLength(names.length);
});
