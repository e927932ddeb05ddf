import { createServer } from 'node:http';
import type { ChainName } from '#core/chains/chains.ts';
import { readAnnouncements } from '#local/announcement.ts';
import { createFolder } from '#test/support/folders.ts';
import { copyExamples, run, testWith } from '#test/support/processes/client-process.ts';
import { API_KEY, startServiceProcess, waitForDay } from '#test/support/processes/service-process.ts';
import { serve } from '#test/support/servers/serve.ts';

/* A stranger with a key and a node recomputes a day: the programs of docs/recompute.md against development chains. */

const folder = copyExamples();

type Rows = readonly object[];

/** Relays requests to a service, and replaces the rows of its responses. */
async function startProxy(service: string, replace: (rows: Rows) => Rows) {
  const server = createServer(async ({ url }, response) => {
    const answer = await fetch(`${service}${url}`, { headers: { 'X-API-Key': API_KEY } });
    const rows = replace((await answer.json()) as Rows);
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(rows));
  });
  return serve(server);
}

const commands = ['node recompute.ts', 'python3 recompute.py'];

const OTHER = { parent_hash: `0x${'0'.repeat(64)}` };

/** One chain of each family. */
const names: readonly ChainName[] = ['ETHEREUM', 'ARBITRUM', 'BSC', 'OPTIMISM', 'POLYGON'];

const recompute = (command: string, node: string | undefined, url: string, chain = 'ETHEREUM') =>
  run(`NODE_URL=${node} ${command} ${chain} yesterday`, { folder, url, key: API_KEY });

testWith('python3')('each figure of a day follows from the blocks of a node', async () => {
  const chainsHere = Object.fromEntries(names.map((name) => [`RPC_URLS_${name}`, '']));
  using service = startServiceProcess({ ...chainsHere, DATA_DIR: createFolder() });
  const url = await service.ready();
  const chains = readAnnouncements().get(Number(new URL(url).port))?.chains ?? [];
  for (const chain of names) {
    await waitForDay(url, chain);
    const node = chains.find(({ name }) => name === chain)?.urls[0];
    const byNode = await recompute('node recompute.ts', node, url, chain);
    expect(byNode).toMatchObject({ code: 0, stdout: expect.not.stringContaining('OTHER'), stderr: '' });
    expect(byNode.stdout.match(/as served/g)).toHaveLength(8);
    expect(byNode.stdout).toMatch(/^finality +\d{4}-\d\d-\d\d continues it, but has no parent_hash yet$/m);
    expect(await recompute('python3 recompute.py', node, url, chain)).toEqual(byNode);
  }
  const node = chains.find(({ name }) => name === 'ETHEREUM')?.urls[0];
  for (const [replace, problem] of [
    [
      (rows: Rows) => rows.map((row) => ({ ...row, ...OTHER })),
      /^Your node's block \d+ or its parent differs/,
    ],
    [
      (rows: Rows) => (rows.length === 0 ? [OTHER] : rows),
      /^\S+ does not continue this day: its parent_hash is 0x0+\./,
    ],
  ] as const) {
    await using proxy = await startProxy(url, replace);
    for (const command of commands) {
      const stderr = expect.stringMatching(problem);
      expect(await recompute(command, node, proxy.url)).toMatchObject({ code: 1, stderr });
    }
  }
  for (const command of commands) {
    const stderr = expect.stringMatching(/^The node in NODE_URL gave no answer: .+\. Correct the variable/);
    expect(await recompute(command, 'http://localhost:9', url)).toMatchObject({ code: 1, stderr });
  }
});
