import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { run, testWith } from '#test/support/processes/client-process.ts';
import { useServer } from '#test/support/servers/serve.ts';
import { testIf } from '#test/support/test-if.ts';

const { schemas } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')).components;

/* The examples of docs/clients.md run the module against the service: test/whole/docs/clients.slow.test.ts. */

const ROWS = [
  {
    date: '2025-11-01T13',
    fees: '0.1',
    execution_fees: '0.000000000000000001',
    retryable_double_count: '0.000000000000000003',
    gas_used: '90071992547409931',
    median_fee: { from: '0.00002', to: '0.0000208' },
    last_block: { number: 9, hash: '0x9' },
  },
];
const OLD_ROW = {
  date: '2025-11-01T14',
  fees: '0',
  execution_fees: '0',
  last_block: { number: 9, hash: '0x9' },
};
let rows: readonly object[] = ROWS;
/** Sent in place of the rows. */
let body: object | undefined;
const requests: (string | undefined)[] = [];
let failures = 0;
let etag = '';
const server = createServer(({ url, headers }, response) => {
  requests.push(url);
  if (failures-- > 0) return response.destroy();
  if (etag && headers['if-none-match'] === etag) return response.writeHead(304).end();
  if (etag) response.setHeader('ETag', etag);
  return response
    .writeHead(200, { 'Content-Type': 'application/json', 'X-Days-Missing': '2', 'X-Fees-Currency': 'ETH' })
    .end(JSON.stringify(body ?? rows));
});
const url = useServer(server);

const python = (program: string) =>
  run(`python3 -c '${program}'`, { folder: 'clients/python', url: url(), key: 'any' });
const open =
  'import os; from chain_insights import *; api = ChainInsights(os.environ["CHAIN_INSIGHTS_URL"], "any")';

testWith('python3')('repeats after a dropped connection, and returns rows with the coin', async () => {
  failures = 2;
  const show =
    'rows = api.days("base", "30-days-ago", "yesterday"); print(len(rows), rows.days_missing, rows.currency)';
  expect(await python(`${open}; ${show}`)).toEqual({ code: 0, stdout: '1 2 ETH\n', stderr: '' });
});

const hasPandas = spawnSync('python3', ['-c', 'import pandas']).status === 0;

testIf(hasPandas, 'pandas')(
  'frames have exact fees, timestamps, the requested columns, and nothing where a row has none',
  async () => {
    failures = 0;
    const range = '"BASE", "2025-11-01", "2025-11-01"';
    const frames = async (program: string, given: readonly object[]) => {
      rows = given;
      const { stdout, stderr } = await python(`${open}\n${program}`);
      expect(stderr).toBe('');
      return stdout.trim().split('\n');
    };
    expect(
      await frames(
        `frame = api.days(${range}, "hour").frame()
for name in ["execution_fees", "retryable_double_count", "gas_used", "median_fee_from", "median_fee_to"]: print(*frame[name])
print(*frame.index)`,
        [...ROWS, OLD_ROW],
      ),
    ).toEqual([
      '1E-18 0',
      ...['3E-18 nan', '90071992547409931 nan', '0.00002 nan', '0.0000208 nan'],
      '2025-11-01 13:00:00 2025-11-01 14:00:00',
    ]);
    expect(
      await frames(`print(*api.days(${range}, fields=["fees", "median_fee"]).frame().columns)`, []),
    ).toEqual(['fees median_fee_from median_fee_to']);
    const each = `for read in (api.transaction_count, api.fees, api.days, api.distribution):
  print(*read(${range}).frame().columns)`;
    const withRows = await frames(each, ROWS);
    expect(withRows[2]).toContain('last_block_number');
    const lines = (await frames(each, [])).map((line) => line.split(' '));
    expect(lines.map(({ length }) => length)).toEqual([1, 1, 23, 3]);
    expect(lines[2]).toContain('median_fee_from');
    const named = Object.keys(schemas.DayDetails.properties);
    expect(named).toEqual(
      expect.arrayContaining((lines[2] ?? []).map((column) => column.replace(/(_fee)_(from|to)$/, '$1'))),
    );
    rows = ROWS;
  },
);

testIf(hasPandas, 'pandas')(
  'frames of a list of chains have an index of chain and date, even of one chain and without rows',
  async () => {
    const range = '"2025-11-01", "2025-11-02"';
    const show = 'print(*frame.index.names, *frame.columns, len(frame))';
    const frameOf = async (chains: string, given: readonly object[], more = '') => {
      rows = given;
      const { stdout, stderr } = await python(
        `${open}\nframe = api.fees(${chains}, ${range}, fields=["fees", "fees_usd"]).frame(); ${show}${more}`,
      );
      expect(stderr).toBe('');
      return stdout.trim().split('\n');
    };
    const ofChain = (chain: string, fees: string) =>
      ['2025-11-01', '2025-11-02'].map((date) => ({ chain, date, fees, fees_usd: '3' }));
    const each = '; print(*frame.loc["BASE"].index, *frame["fees"].unstack("chain")["BSC"])';
    expect(
      await frameOf('["BSC", "BASE"]', [...ofChain('BSC', '0.1'), ...ofChain('BASE', '0.2')], each),
    ).toEqual(['chain date fees fees_usd 4', '2025-11-01 00:00:00 2025-11-02 00:00:00 0.1 0.1']);
    expect(await frameOf('("BSC", "BASE")', [])).toEqual(['chain date fees fees_usd 0']);
    const one = [{ date: '2025-11-01', fees: '0.1' }];
    expect(await frameOf('["base"]', one, '; print(frame.index[0][0])')).toEqual([
      'chain date fees fees_usd 1',
      'BASE',
    ]);
    expect(await frameOf('"base"', one)).toEqual(['date fees fees_usd 1']);
    rows = ROWS;
  },
);

testWith('python3')('asks for several chains in one request, and names the one of a list', async () => {
  requests.length = 0;
  const calls = ['transaction_count', 'fees', 'days', 'distribution'].map(
    (name) => `api.${name}(("base", "BSC"), "2025-11-01", "2025-11-01")`,
  );
  const one = 'print(*(row["chain"] for row in api.days(["base"], "2025-11-01", "2025-11-01")))';
  const shown = await python(`${open}; ${calls.join('; ')}; ${one}`);
  expect(shown).toEqual({ code: 0, stdout: 'BASE\n', stderr: '' });
  const range = 'start_date=2025-11-01&end_date=2025-11-01';
  expect(requests).toEqual([
    ...['transaction_count', 'fees', 'days', 'distribution'].map(
      (path) => `/api/chain-insights/${path}?chain=base%2CBSC&${range}`,
    ),
    `/api/chain-insights/days?chain=base&${range}`,
  ]);
});

testWith('python3')(
  'returns the running day of a chain, and a list for a list of chains, even of one',
  async () => {
    requests.length = 0;
    const days = [
      { chain: 'BASE', date: '2025-11-02' },
      { chain: 'BSC', date: '2025-11-02' },
    ];
    body = days[0];
    const single = await python(`${open}; print(api.today("base")["chain"], len(api.today(["BASE"])))`);
    body = days;
    const several = await python(`${open}; print(*(day["chain"] for day in api.today(["BASE", "BSC"])))`);
    body = undefined;
    expect([single.stdout, several.stdout]).toEqual(['BASE 1\n', 'BASE BSC\n']);
    expect(requests).toEqual(
      ['base', 'BASE', 'BASE%2CBSC'].map((chain) => `/api/chain-insights/today?chain=${chain}`),
    );
  },
);

testWith('python3')('asks for the fields of days and of fees that a program names', async () => {
  requests.length = 0;
  const range = '"BASE", "2025-11-01", "2025-11-01"';
  const calls = `api.days(${range}, fields=["fees", "median_fee"]); api.fees(${range}, fields="fees,fees_usd")`;
  expect(await python(`${open}; ${calls}`)).toMatchObject({ code: 0, stderr: '' });
  const query = '?chain=BASE&start_date=2025-11-01&end_date=2025-11-01';
  expect(requests).toEqual([
    `/api/chain-insights/days${query}&fields=fees%2Cmedian_fee`,
    `/api/chain-insights/fees${query}&fields=fees%2Cfees_usd`,
  ]);
});

testWith('python3')('requests hours, the distribution, and chains by evidence', async () => {
  requests.length = 0;
  const range = '"base", "2025-11-01", "2025-11-30"';
  expect(
    await python(`${open}; api.fees(${range}, "hour"); api.distribution(${range}); api.chains("proven")`),
  ).toMatchObject({ code: 0 });
  const query = '?chain=base&start_date=2025-11-01&end_date=2025-11-30';
  expect(requests).toEqual([
    `/api/chain-insights/fees${query}&interval=hour`,
    `/api/chain-insights/distribution${query}`,
    '/api/chain-insights/chains?evidence=proven',
  ]);
});

testWith('python3')('returns the previous result while nothing has changed', async () => {
  etag = '"a"';
  const show = `rows = api.fees("BASE", "2025-11-01", "2025-11-01")
print(api.fees("BASE", "2025-11-01", "2025-11-01", previous=rows) is rows)`;
  expect(await python(`${open}\n${show}`)).toMatchObject({ code: 0, stdout: 'True\n' });
});

testWith('python3')('says what is missing where pandas is not installed', async () => {
  const { code, stderr } = await python(
    `import sys; sys.modules["pandas"] = None; ${open}; api.days("BASE", "2025-11-01", "2025-11-01").frame()`,
  );
  expect(code).toBe(1);
  expect(stderr).toContain('pandas');
});
