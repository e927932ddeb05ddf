import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { run, testWith } from '#test/support/processes/client-process.ts';
import { useServer } from '#test/support/servers/serve.ts';

/* The examples of docs/clients.md run the module against the service: test/whole/docs/clients.slow.test.ts. */

const ROWS = [
  {
    date: '2025-11-01',
    fees: '0.1',
    execution_fees: '0.000000000000000001',
    last_block: { number: 9, hash: '0x9' },
  },
];
let failures = 0;
const server = createServer((_, response) => {
  if (failures-- > 0) return response.destroy();
  return response
    .writeHead(200, { 'Content-Type': 'application/json', 'X-Days-Missing': '2', 'X-Fees-Currency': 'ETH' })
    .end(JSON.stringify(ROWS));
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

(hasPandas ? test : test.skip)('returns a data frame with exact fees and flat columns', async () => {
  failures = 0;
  const show =
    'frame = api.days("BASE", "2025-11-01", "2025-11-01").frame(); print(frame.to_json(default_handler=str), list(frame.columns))';
  const { stdout } = await python(`${open}; ${show}`);
  expect(stdout).toContain('0.000000000000000001');
  expect(stdout).toContain('last_block_number');
});

testWith('python3')('says what is missing where pandas is not installed', async () => {
  const { code, stderr } = await python(
    `import sys; sys.modules["pandas"] = None; ${open}; api.days("BASE", "2025-11-01", "2025-11-01").frame()`,
  );
  expect(code).toBe(1);
  expect(stderr).toContain('pandas');
});
