import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { dayOf } from '#core/figures/calendar.ts';
import { chainStore } from '#core/store/table/table.ts';
import { withDetails } from '#test/support/generators/rows/details.ts';
import { servedDay } from '#test/support/generators/rows/served-days.ts';
import { runCli } from '#test/support/processes/cli-process.ts';
import { serve } from '#test/support/servers/serve.ts';
import { KEY, useApi } from '#test/support/servers/service.ts';
import { putStoredDay, refreshCoverage } from '#test/support/tables/put-day.ts';
import { putRunningDay } from '#test/support/tables/put-running-day.ts';

const days = ['2025-11-01', '2025-11-02'];
const today = dayOf(Date.now() / 1_000);
const errors: string[] = [];
const opened: Client[] = [];
afterAll(() => Promise.all(opened.map((client) => client.close())));
const { url } = useApi(
  async (table) => {
    for (const day of days) {
      const stored = withDetails(servedDay('BASE', day, { transaction_count: 9, fees: '0.1' }));
      await putStoredDay(table, stored.day, undefined, stored.details);
    }
    await refreshCoverage(chainStore(table, 'BASE'), '2025-11-01');
    await putStoredDay(
      table,
      servedDay('BSC', '2025-11-02', { transaction_count: 7, fees: '0.2' }),
      undefined,
    );
    await refreshCoverage(chainStore(table, 'BSC'), '2025-11-02');
    await putRunningDay(chainStore(table, 'BSC'), today, 5);
  },
  { BASE: '2025-11-01', BSC: '2025-11-02' },
);

/** Starts the command as an assistant does. */
async function connect(key: string, to = url()): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['bin/cli.js', 'mcp'],
    env: { ...process.env, CHAIN_INSIGHTS_URL: to, CHAIN_INSIGHTS_KEY: key } as Record<string, string>,
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (chunk: Buffer) => errors.push(String(chunk)));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  opened.push(client);
  return client;
}

async function callTool(client: Client, name: string, input: Record<string, unknown> = {}) {
  const { content, isError } = (await client.callTool({ name, arguments: input })) as CallToolResult;
  const [first] = content;
  return { isError, text: first?.type === 'text' ? first.text : '' };
}

const range = { chain: 'BASE', start_date: '2025-11-01', end_date: '2025-11-03' };

test('tools give the rows of the API, with the coin and the number of missing days', async () => {
  const client = await connect(KEY);
  const { text } = await callTool(client, 'get_fees', range);
  expect(JSON.parse(text)).toEqual({
    rows: days.map((date) => ({ date, fees: '0.1' })),
    days_missing: 1,
    days_not_over: 0,
    data_through: '2025-11-02',
    currency: 'ETH',
  });
  const counts = JSON.parse((await callTool(client, 'get_transaction_counts', range)).text);
  expect(counts.rows).toEqual(days.map((date) => ({ date, transaction_count: 9 })));
  const details = JSON.parse((await callTool(client, 'get_days', range)).text);
  expect(details.rows[0]).toMatchObject({ date: '2025-11-01', evidence: expect.any(String), fees: '0.1' });
  const { chains } = JSON.parse((await callTool(client, 'list_chains')).text);
  expect(chains).toContainEqual(expect.objectContaining({ chain: 'BASE', last_final_day: '2025-11-02' }));
});

test('a tool gives the rows of several chains, each with its chain', async () => {
  const client = await connect(KEY);
  const { text } = await callTool(client, 'get_fees', { ...range, chain: ['BSC', 'base'] });
  expect(JSON.parse(text)).toEqual({
    rows: [
      { chain: 'BSC', date: '2025-11-02', fees: '0.2' },
      ...days.map((date) => ({ chain: 'BASE', date, fees: '0.1' })),
    ],
    days_missing: 3,
    days_not_over: 0,
  });
  const repeated = await callTool(client, 'get_days', { ...range, chain: ['BASE', 'BASE'] });
  expect(repeated).toMatchObject({ isError: true, text: expect.stringContaining('BASE is repeated') });
});

test('a tool gives the running day through its last final block, of one chain or several', async () => {
  const client = await connect(KEY);
  const running = JSON.parse((await callTool(client, 'get_today', { chain: 'bsc' })).text);
  const through = { number: 14, time: `${today}T00:05:00.000Z` };
  expect(running).toMatchObject({ chain: 'BSC', date: today, transaction_count: 5, fees: '0.005', through });
  const both = JSON.parse((await callTool(client, 'get_today', { chain: ['BASE', 'BSC'] })).text);
  expect(both).toEqual([{ chain: 'BASE', date: today }, running]);
});

test('a tool gives hours, and another the transactions by their fee', async () => {
  const client = await connect(KEY);
  const hours = JSON.parse((await callTool(client, 'get_days', { ...range, interval: 'hour' })).text).rows;
  expect(hours).toHaveLength(48);
  expect(hours[1]).toMatchObject({ date: '2025-11-01T01', fees: '0.1', gas_used: '21000' });
  const { rows, currency } = JSON.parse((await callTool(client, 'get_distribution', range)).text);
  expect(currency).toBe('ETH');
  expect(rows).toEqual(
    days.map((date) => ({ date, from: expect.any(String), to: expect.any(String), transaction_count: 9 })),
  );
  const refused = await callTool(client, 'get_distribution', { ...range, interval: 'hour' });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('interval') });
});

test('tools describe units, evidence and missing days, and only read', async () => {
  const { tools } = await (await connect(KEY)).listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'list_chains',
    'get_transaction_counts',
    'get_fees',
    'get_days',
    'get_distribution',
    'get_today',
  ]);
  for (const { annotations } of tools) expect(annotations?.readOnlyHint).toBe(true);
  for (const { description } of tools.slice(1, 5)) expect(description).toContain('days_missing');
  expect(tools[2]?.description).toContain('coin');
  expect(tools[3]?.description).toContain('`proven`');
  expect(tools[3]?.description).toContain('`fees_usd`');
  expect(tools[5]?.description).toMatch(/last final block.*may fall.*only grow.*no dollars/s);
});

test('a chain may be named in any case, and the API says which one a misspelled name means', async () => {
  const client = await connect(KEY);
  const { text } = await callTool(client, 'get_fees', { ...range, chain: 'base' });
  expect(JSON.parse(text).rows).toHaveLength(2);
  const misspelled = await callTool(client, 'get_fees', { ...range, chain: 'BASSE' });
  expect(misspelled).toMatchObject({ isError: true, text: expect.stringContaining('did you mean BASE?') });
});

test('an error of the API reaches the assistant as text, and the key reaches nobody', async () => {
  const client = await connect(KEY);
  const reversed = { ...range, end_date: '2025-10-01' };
  expect(await callTool(client, 'get_days', reversed)).toMatchObject({
    isError: true,
    text: expect.stringContaining('end_date must not be before start_date'),
  });
  const refused = await callTool(await connect('other-secret'), 'list_chains');
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('X-API-Key') });
  expect(errors.join('')).toContain(`Serving ${url()} over MCP`);
  expect(errors.join('')).not.toMatch(/secret|test-key/);
});

test('no character of an answer reorders or hides text, in rows or in errors', async () => {
  let status = 200;
  await using hostile = await serve(
    createServer((_, response) => {
      const reason = 'paid \u202e1.0\u2066 \u001b[31m\u0007';
      const type = status === 200 ? 'application/json' : 'application/problem+json';
      const body =
        status === 200
          ? [{ date: '2025-11-01', restatements: [{ reason }] }]
          : { title: 'No', detail: reason };
      response.writeHead(status, { 'Content-Type': type }).end(JSON.stringify(body));
    }),
  );
  const client = await connect(KEY, hostile.url);
  const rows = await callTool(client, 'get_days', range);
  status = 400;
  const error = await callTool(client, 'get_days', range);
  for (const { text } of [rows, error]) {
    expect(text).toContain('paid ');
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  }
  // Escaped, not lost.
  expect(JSON.parse(rows.text).rows[0].restatements[0].reason).toContain('\u202e');
});

test.each([
  ['without a user name and a password', ['--url', 'https://alice:hunter2@api.example'], {}],
  ['CHAIN_INSIGHTS_KEY is not set', [], { CHAIN_INSIGHTS_URL: 'https://api.example' }],
  ['from --url or CHAIN_INSIGHTS_URL, is not an http or https URL', ['--url', 'api.example'], {}],
])('ends with one line when %s', async (message, parameters, environment) => {
  const { code, stdout, stderr } = await runCli(['mcp', ...parameters], environment);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).not.toMatch(/hunter2|alice/);
});
