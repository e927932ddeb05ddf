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

/** A day without measures. */
const withoutMeasures = (rows: Rows) =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).filter(([name]) => !/^gas|^failed|^base_|^prior|^blob_c|_fee$/.test(name)),
    ),
  );

/** One chain of each family. */
const names: readonly ChainName[] = ['ETHEREUM', 'ARBITRUM', 'BSC', 'OPTIMISM', 'POLYGON'];

const recompute = (command: string, nodes: string | undefined, url: string, chain = 'ETHEREUM') =>
  run(`NODE_URL=${nodes} ${command} ${chain} yesterday`, { folder, url, key: API_KEY });

/** The line of the programs about the end of a day. */
const finalities: Partial<Record<ChainName, RegExp>> = {
  ETHEREUM: /^finality +sync committee, slot \d+, 0x[0-9a-f]{64}; \d+ headers lead to it$/m,
  BSC: /^finality +votes for block \d+; \d+ headers lead to it$/m,
};
const REPORTED = /^finality +reported by \S+$/m;

/** A value of `finality` that no node confirms. */
const FORGED = {
  kind: 'fast finality',
  source: { number: 120, hash: OTHER.parent_hash },
  target: { number: 121, hash: OTHER.parent_hash },
};

testWith('python3')('each figure of a day follows from the blocks of a node', async () => {
  const chainsHere = Object.fromEntries(names.map((name) => [`RPC_URLS_${name}`, '']));
  using service = startServiceProcess({ ...chainsHere, DATA_DIR: createFolder() });
  const url = await service.ready();
  const chains = readAnnouncements().get(Number(new URL(url).port))?.chains ?? [];
  for (const chain of names) {
    await waitForDay(url, chain);
    const { urls, beaconUrls } = chains.find(({ name }) => name === chain) ?? {};
    const node = [urls?.[0], ...(beaconUrls ?? []).map((beacon) => `BEACON_URL=${beacon}`)].join(' ');
    const byNode = await recompute('node recompute.ts', node, url, chain);
    expect(byNode).toMatchObject({ code: 0, stdout: expect.not.stringContaining('OTHER'), stderr: '' });
    expect(byNode.stdout.match(/as served/g)).toHaveLength(17);
    expect(byNode.stdout).toMatch(finalities[chain] ?? REPORTED);
    expect(await recompute('python3 recompute.py', node, url, chain)).toEqual(byNode);
  }
  const node = chains.find(({ name }) => name === 'ETHEREUM')?.urls[0];
  for (const [replace, problem] of [
    [
      (rows: Rows) => rows.map((row) => ({ ...row, ...OTHER })),
      /^Your node's block \d+ or its parent differs/,
    ],
    [
      (rows: Rows) => rows.map((row) => ({ ...row, finality: FORGED })),
      /^Block 121 is not the child of block 120\./,
    ],
  ] as const) {
    await using proxy = await startProxy(url, replace);
    for (const command of commands) {
      const stderr = expect.stringMatching(problem);
      expect(await recompute(command, node, proxy.url)).toMatchObject({ code: 1, stderr });
    }
  }
  for (const [replace, code, lines] of [
    [withoutMeasures, 0, [/^gas_used +\d+ {2}not served$/m, /^median_fee +[\d.]+ to [\d.]+ {2}not served$/m]],
    [
      (rows: Rows) => rows.map((row) => ({ ...row, gas_used: '1', p10_fee: { from: '2', to: '3' } })),
      1,
      [/^gas_used .+SERVED: 1$/m, /^p10_fee .+SERVED: 2\.0{18} to 3\.0{18}$/m],
    ],
  ] as const) {
    await using proxy = await startProxy(url, replace);
    for (const command of commands) {
      const recomputed = await recompute(command, node, proxy.url);
      expect(recomputed.code).toBe(code);
      for (const line of lines) expect(recomputed.stdout).toMatch(line);
    }
  }
  for (const command of commands) {
    const stderr = expect.stringMatching(/^The node in NODE_URL gave no answer: .+\. Correct the variable/);
    expect(await recompute(command, 'http://localhost:9', url)).toMatchObject({ code: 1, stderr });
  }
});
