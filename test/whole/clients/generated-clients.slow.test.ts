import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createFolder } from '#test/support/folders.ts';
import { servedDay } from '#test/support/generators/rows/served-days.ts';
import { run } from '#test/support/processes/client-process.ts';
import { KEY, useApi } from '#test/support/servers/service.ts';
import { putStoredDay } from '#test/support/tables/put-day.ts';
import { testIf } from '#test/support/test-if.ts';

/*
 * Clients that generators make of docs/openapi.json compile, and read rows that have only the fields of the request. Each generator runs if
 * it is installed; Redocly's always is. docs/clients.md names the others that were tried by hand.
 */

const api = useApi(async (table) => {
  for (const date of ['2025-11-20', '2025-11-21'])
    await putStoredDay(table, servedDay('BASE', date, { transaction_count: 9, fees: '1.5' }), undefined);
});

/** Every program asks for `fields=fees,evidence` of two days, and prints the rows. */
const PRINTED = '2025-11-20 1.5 proven\n2025-11-21 1.5 proven\n';

const document = resolve('docs/openapi.json');

const isInstalled = (command: string, ...options: readonly string[]): boolean =>
  spawnSync(command, options).status === 0;

/** Runs a command of a generator or compiler. @throws Error with its output when it fails */
const make = (folder: string, command: string, ...options: readonly string[]) =>
  execFileSync(command, options, { cwd: folder, stdio: 'pipe' });

const TYPESCRIPT = [
  ...['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--allowImportingTsExtensions'],
  ...['--typeRoots', resolve('node_modules/@types'), '--types', 'node', 'main.ts'],
];

const output = async (folder: string, command: string) => run(command, { folder, url: api.url(), key: KEY });

test('Redocly’s TypeScript client compiles, and reads chosen fields', async () => {
  const folder = createFolder();
  const redocly = resolve('node_modules/@redocly/cli/bin/cli.js');
  make(folder, process.execPath, redocly, 'generate-client', document, '--output', 'client.ts');
  writeFileSync(
    join(folder, 'main.ts'),
    `import { configure, getDays } from './client.ts';
const key = process.env['CHAIN_INSIGHTS_KEY'] ?? '';
configure({ serverUrl: process.env['CHAIN_INSIGHTS_URL'] ?? '', auth: { apiKey: { ApiKey: key } } });
const range = { start_date: '2025-11-20', end_date: '2025-11-21' };
const rows = await getDays({ query: { chain: ['BASE'], ...range, fields: 'fees,evidence' } });
for (const { date, fees, evidence } of rows) console.log(date, fees, evidence);
`,
  );
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  make(folder, resolve('node_modules/.bin/tsc'), ...TYPESCRIPT);
  expect(await output(folder, 'node main.ts')).toEqual({ code: 0, stdout: PRINTED, stderr: '' });
});

testIf(isInstalled('openapi-typescript', '--version'), 'openapi-typescript')(
  'the types of openapi-typescript compile, and fit chosen fields',
  async () => {
    const folder = createFolder();
    make(folder, 'openapi-typescript', document, '--output', 'api.ts');
    writeFileSync(
      join(folder, 'main.ts'),
      `import type { paths } from './api.ts';
type Rows = paths['/api/chain-insights/days']['get']['responses'][200]['content']['application/json'];
const query = 'chain=BASE&start_date=2025-11-20&end_date=2025-11-21&fields=fees,evidence';
const headers = { 'X-API-Key': process.env['CHAIN_INSIGHTS_KEY'] ?? '' };
const url = \`\${process.env['CHAIN_INSIGHTS_URL']}/api/chain-insights/days?\${query}\`;
const rows = (await (await fetch(url, { headers })).json()) as Rows;
for (const { date, fees, evidence } of rows) console.log(date, fees, evidence);
`,
    );
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    make(folder, resolve('node_modules/.bin/tsc'), ...TYPESCRIPT);
    expect(await output(folder, 'node main.ts')).toEqual({ code: 0, stdout: PRINTED, stderr: '' });
  },
);

testIf(isInstalled('openapi-python-client', '--version'), 'openapi-python-client')(
  'the client of openapi-python-client reads chosen fields',
  async () => {
    const folder = createFolder();
    make(
      folder,
      'openapi-python-client',
      'generate',
      '--path',
      document,
      '--meta',
      'none',
      '--output-path',
      'api',
    );
    writeFileSync(
      join(folder, 'main.py'),
      `import os
from api import AuthenticatedClient
from api.api.daily_figures import get_days
from api.models import Chain

client = AuthenticatedClient(base_url=os.environ["CHAIN_INSIGHTS_URL"], token=os.environ["CHAIN_INSIGHTS_KEY"],
                             auth_header_name="X-API-Key", prefix="")
for row in get_days.sync(client=client, chain=[Chain.BASE], start_date="2025-11-20", end_date="2025-11-21",
                         fields="fees,evidence"):
    print(row.date, row.fees, row.evidence)
`,
    );
    expect(await output(folder, 'python3 main.py')).toEqual({ code: 0, stdout: PRINTED, stderr: '' });
  },
);

testIf(isInstalled('oapi-codegen', '-version') && isInstalled('go', 'version'), 'go and oapi-codegen')(
  'the Go client of oapi-codegen compiles, and reads chosen fields',
  async () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'api'));
    make(
      folder,
      'oapi-codegen',
      '-generate',
      'types,client',
      '-package',
      'api',
      '-o',
      'api/api.go',
      document,
    );
    writeFileSync(
      join(folder, 'main.go'),
      `package main

import (
	"context"
	"fmt"
	"main/api"
	"net/http"
	"os"
)

func main() {
	client, err := api.NewClientWithResponses(os.Getenv("CHAIN_INSIGHTS_URL"), api.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("X-API-Key", os.Getenv("CHAIN_INSIGHTS_KEY"))
			return nil
		}))
	if err != nil {
		panic(err)
	}
	fields := "fees,evidence"
	params := api.GetDaysParams{Chain: api.ChainList{"BASE"}, StartDate: "2025-11-20", EndDate: "2025-11-21", Fields: &fields}
	days, err := client.GetDaysWithResponse(context.Background(), &params)
	if err != nil {
		panic(err)
	}
	for _, row := range *days.JSON200 {
		fmt.Println(row.Date, *row.Fees, *row.Evidence)
	}
}
`,
    );
    make(folder, 'go', 'mod', 'init', 'main');
    make(folder, 'go', 'mod', 'tidy');
    expect(await output(folder, 'go run .')).toEqual({ code: 0, stdout: PRINTED, stderr: '' });
  },
);
