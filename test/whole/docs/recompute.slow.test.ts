import { createServer } from 'node:http';
import type { ChainName } from '#core/chains/chains.ts';
import { readAnnouncements } from '#local/announcement.ts';
import { createFolder } from '#test/support/folders.ts';
import { copyExamples, run, testWith } from '#test/support/processes/client-process.ts';
import {
  API_KEY,
  requestService,
  startServiceProcess,
  waitForDay,
} from '#test/support/processes/service-process.ts';
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
const REPORTED = /^finality +reported by \S+$/m;

/** A value of `finality` that no node confirms. */
const FORGED = {
  kind: 'fast finality',
  source: { number: 60, hash: OTHER.parent_hash },
  target: { number: 61, hash: OTHER.parent_hash },
};

/** Values of `finality` that a node and a beacon node confirm, and that beacon node. A development chain has none of its own. */
async function proofsOf(node: string, url: string) {
  const [row] = await requestService<{ last_block: { number: number } }[]>(url, 'days', {
    chain: 'ETHEREUM',
    start_date: 'yesterday',
    end_date: 'yesterday',
  });
  const last = row?.last_block.number ?? 0;
  const blockAt = async (number: number) => {
    const params = [`0x${number.toString(16)}`, false];
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(node, { method: 'POST', headers, body });
    return { number, hash: ((await answer.json()) as { result: { hash: string } }).result.hash };
  };
  const [source, target] = [await blockAt(last + 1), await blockAt(last + 2)];
  const root = `0x${'ab'.repeat(32)}`;
  const execution = { block_number: String(source.number), block_hash: source.hash };
  const bootstrap = { data: { header: { beacon: { slot: '7' }, execution } } };
  const beacon = createServer(({ url: path = '' }, response) => {
    response.statusCode = path.endsWith(`/bootstrap/${root}`) ? 200 : 404;
    response.end(JSON.stringify(bootstrap));
  });
  return {
    beacon,
    proofs: [
      [
        { kind: 'sync committee', slot: 7, root },
        /^finality +sync committee, slot 7, 0x(ab){32}; 1 headers lead to it$/m,
      ],
      [{ kind: 'fast finality', source, target }, /^finality +votes for block \d+; 1 headers lead to it$/m],
    ] as const,
  };
}

testWith('python3')('each figure of a day follows from the blocks of a node', async () => {
  const chainsHere = Object.fromEntries(names.map((name) => [`RPC_URLS_${name}`, '']));
  using service = startServiceProcess({ ...chainsHere, DATA_DIR: createFolder() });
  const url = await service.ready();
  const chains = readAnnouncements().get(Number(new URL(url).port))?.chains ?? [];
  const nodeOf = (chain: ChainName) => chains.find(({ name }) => name === chain)?.urls[0];
  for (const chain of names) {
    await waitForDay(url, chain);
    const node = nodeOf(chain);
    const byNode = await recompute('node recompute.ts', node, url, chain);
    expect(byNode).toMatchObject({ code: 0, stdout: expect.not.stringContaining('OTHER'), stderr: '' });
    expect(byNode.stdout.match(/as served/g)).toHaveLength(17);
    expect(byNode.stdout).toMatch(REPORTED);
    expect(await recompute('python3 recompute.py', node, url, chain)).toEqual(byNode);
  }
  const node = nodeOf('ETHEREUM');
  const { proofs, beacon } = await proofsOf(node ?? '', url);
  await using beaconServer = await serve(beacon);
  for (const [finality, line] of proofs) {
    await using proxy = await startProxy(url, (rows) => rows.map((row) => ({ ...row, finality })));
    for (const command of commands) {
      const nodes = `${node} BEACON_URL=${beaconServer.url}`;
      expect((await recompute(command, nodes, proxy.url)).stdout).toMatch(line);
    }
  }
  for (const [replace, problem] of [
    [
      (rows: Rows) => rows.map((row) => ({ ...row, ...OTHER })),
      /^Your node's block \d+ or its parent differs/,
    ],
    [
      (rows: Rows) => rows.map((row) => ({ ...row, finality: FORGED })),
      /^Block 61 is not the child of block 60\./,
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
      [/^gas_used .+SERVED: 1$/m, /^p10_fee .+SERVED: 2 to 3$/m],
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
