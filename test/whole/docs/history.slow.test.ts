import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { addDays, dayOf } from '#core/figures/calendar.ts';
import { readAnnouncements } from '#local/announcement.ts';
import { createFolder } from '#test/support/folders.ts';
import { API_KEY, startServiceProcess } from '#test/support/processes/service-process.ts';

/** The commands of docs/history.md that lead from a range without days to a chart, with the service of `npm start`. */
const commands = (/```sh\n(export NODE_URL.*?)```/s.exec(readFileSync('docs/history.md', 'utf8'))?.[1] ?? '')
  .split('\n')
  .slice(1, -1)
  .map((line) =>
    line
      .replace('npx --no chain-insights', `node ${resolve('bin/cli.js')}`)
      .replace('docs/examples', resolve('docs/examples')),
  );

test('lead from a plan and a query over an audited file to figures that are served', async () => {
  using service = startServiceProcess({ RPC_URLS_ETHEREUM: '', INGEST_START_DATE: '' });
  const url = await service.ready();
  const { port } = new URL(url);
  const chains = readAnnouncements().get(Number(port))?.chains;
  const NODE_URL = chains?.find(({ name }) => name === 'ETHEREUM')?.urls[0] ?? '';
  const options = { cwd: createFolder(), encoding: 'utf8' } as const;
  const env = { ...process.env, PORT: port, NODE_URL, URL: url, API_KEY };
  const outputs = commands.map((command) => execFileSync('sh', ['-c', command], { ...options, env }));
  const [plan = '', , , importing, chart = ''] = outputs;
  expect(plan).toMatch(/ETHEREUM .* audited, dune/);
  expect(importing).toContain('Published 10 days as archived.');
  const days = JSON.parse(chart) as { date: string; evidence: string; archive: object }[];
  const today = dayOf(Date.now() / 1_000);
  expect(days.map(({ date, evidence }) => [date, evidence])).toEqual(
    Array.from({ length: 10 }, (_, index) => [addDays(today, index - 52), 'archived']),
  );
  expect(days[0]).toMatchObject({ archive: { audit: { statement: expect.stringMatching(/^\d+ of \d+/) } } });
  const range = `start_date=52-days-ago&end_date=43-days-ago&evidence=proven`;
  const proven = await fetch(`${url}/api/chain-insights/fees?chain=ETHEREUM&${range}`, {
    headers: { 'X-API-Key': API_KEY },
  });
  expect([await proven.json(), proven.headers.get('X-Days-Missing')]).toEqual([[], '10']);
});
