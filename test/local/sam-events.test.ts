import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { routes } from '../../lambda/api/routes.ts';
import { NO_FEES } from '../../lambda/chains/fee-parts.ts';
import { NO_TOTALS } from '../../lambda/chains/totals.ts';
import { environment } from '../../lambda/environment.ts';
import { chainStore } from '../../lambda/store/chain-store.ts';
import { refreshCoverage } from '../../lambda/store/coverage.ts';
import { putDay } from '../../lambda/store/days.ts';
import { readConfig } from '../../lib/config.ts';
import { stages } from '../../lib/stages.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../local/embedded-table.ts';
import { loadHandlers } from '../../local/handlers.ts';
import { sampleEvents } from '../../local/sam-events.ts';
import { hashOf, provenance } from '../support/builders.ts';
import { dispatchBy, dispatchFrom } from '../support/in-process-dispatch.ts';
import { propertiesOf, templateOf } from '../support/stack.ts';

const config = readConfig('dev', stages);
const [first] = config.chains;
const samples = sampleEvents(config, '2026-11-21');
/** Returns copies, because a function replaces the body with the decoded one. */
const eventsOf = (handler: string) =>
  samples.filter((sample) => sample.handler === handler).map(({ event }) => structuredClone(event));

let table: EmbeddedTable;
const environmentBefore = { ...process.env };

beforeAll(async () => {
  table = await startEmbeddedTable();
  const store = chainStore(table, first?.name ?? '');
  // The day before the week, the week's first and last day, and today.
  for (const [index, day] of ['2026-11-13', '2026-11-14', '2026-11-20', '2026-11-21'].entries()) {
    const totals = { ...NO_TOTALS, transactions: 10 + index, fees: { ...NO_FEES, execution: 10n ** 18n } };
    const last = { number: index, hash: hashOf(index) };
    await putDay(store, { day, totals, last, definitionVersion: 1 }, provenance());
  }
  await refreshCoverage(store, '2026-11-13');
});
afterAll(async () => {
  process.env = environmentBefore;
  await table.close();
});

test.each([
  [
    'get-transaction-count',
    [
      { date: '2026-11-14', transaction_count: 11 },
      { date: '2026-11-20', transaction_count: 12 },
    ],
  ],
  [
    'get-fees',
    [
      { date: '2026-11-14', fees: '1' },
      { date: '2026-11-20', fees: '1' },
    ],
  ],
] as const)('%s answers its samples with the week before today', async (name, rows) => {
  const handlers = await loadHandlers(table);
  const answers = await Promise.all(
    eventsOf(name).map((event) =>
      handlers[name](event as APIGatewayProxyEvent, { getRemainingTimeInMillis: () => 20_000 } as Context),
    ),
  );
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  for (const { body } of answers) expect(JSON.parse(body)).toEqual(rows);
});

test('has a GET and a POST sample of each route, as API Gateway sends them', () => {
  for (const { handler, path } of routes) {
    expect(eventsOf(handler)).toMatchObject([
      { httpMethod: 'GET', resource: path, path, body: null, queryStringParameters: { chain: first?.name } },
      { httpMethod: 'POST', resource: path, path, body: expect.any(String), queryStringParameters: null },
    ]);
  }
});

test.each([
  ['dev', stages.dev ?? {}],
  ['prod', stages.prod ?? {}],
  [
    'with settings per chain',
    {
      chains: {
        ETHEREUM: { enabled: false },
        BSC: { startDate: '2026-10-01' },
        POLYGON: { confirmations: 256, endpointsParameter: '/nodes/polygon' },
      },
    },
  ],
])('has the same ingest events in the stage %s as the schedules', (name, stage) => {
  const sent = propertiesOf(templateOf(stage), 'AWS::Scheduler::Schedule').map(({ Target }) => Target.Input);
  const events = sampleEvents(readConfig(name, { [name]: stage }), '2026-11-21').filter(
    ({ handler }) => handler === 'ingest',
  );
  expect(events.map(({ event }) => JSON.stringify(event))).toEqual(sent);
});

test('the ingest accepts each of its samples', async () => {
  Object.assign(process.env, {
    [environment.metricsNamespace]: 'ChainInsights/test',
    POWERTOOLS_METRICS_DISABLED: 'true',
  });
  await loadHandlers(table);
  const { handler } = await import('../../lambda/ingest.ts');
  const info = jest.spyOn(console, 'info').mockImplementation(() => {});
  using _nobody = dispatchBy(dispatchFrom(() => undefined));
  for (const event of eventsOf('ingest')) {
    // Its time limit ends the run right after it has read the event.
    const report = await handler(event, { getRemainingTimeInMillis: () => 0 } as Context);
    expect(report.outcome).toBe('out of time');
  }
  info.mockRestore();
});
