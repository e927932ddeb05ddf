import type { ChainName } from '#core/chains/chains.ts';
import { expectFigures, useDevelopmentNodes } from '#test/support/nodes/development-nodes.ts';
import type { JsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { lies, startLyingProxy } from '#test/support/nodes/lying-proxy.ts';
import { runCli } from '#test/support/processes/cli-process.ts';
import { startServiceProcess } from '#test/support/processes/service-process.ts';

/*
 * npm start with nodes that lie, for each family and each lie, in front of an honest one. Nothing but block hashes contradicts
 * them. The expected figures come from the honest nodes' raw responses.
 */

const startDevelopmentNode = useDevelopmentNodes();
const proxies: JsonRpcServer[] = [];
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy[Symbol.asyncDispose]()));
});

async function startLiar(url: string, kind: keyof typeof lies): Promise<JsonRpcServer> {
  const liar = await startLyingProxy(url, kind);
  proxies.push(liar);
  return liar;
}

/** One day, because its end waits until the liars have cooled down. */
const DAY = '2026-11-17';

/** One chain of each family. */
const names = ['ETHEREUM', 'ARBITRUM', 'BSC', 'OPTIMISM', 'POLYGON'] as const;
const kinds = Object.keys(lies) as (keyof typeof lies)[];

const startNode = (name: ChainName) => startDevelopmentNode(name, 4, DAY);

/** Starts an honest node and one liar for each lie. */
async function startNodes(name: ChainName) {
  const endpoint = await startNode(name);
  const liars = await Promise.all(kinds.map((kind) => startLiar(endpoint.url, kind)));
  return { name, honest: endpoint, liars };
}

interface Row {
  readonly chain: string;
  readonly evidence: string;
}

/** Returns the rows that `export` writes of a service. */
async function exportFrom(url: string): Promise<readonly Row[]> {
  const { stdout } = await runCli(['export'], { PORT: new URL(url).port });
  const lines = stdout.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

const environment = { INGEST_START_DATE: DAY, INGEST_EVERY_SECONDS: '0.2' };

test('no lie about a block gets through, and the output names liars with the field', async () => {
  const chains = await Promise.all(names.map(startNodes));
  const urls = chains.map(({ name, honest, liars }) => [
    `RPC_URLS_${name}`,
    [...liars, honest].map(({ url }) => url).join(','),
  ]);
  using service = startServiceProcess({ ...Object.fromEntries(urls), ...environment });
  const url = await service.ready();
  for (const { name, honest, liars } of chains) {
    await service.says(new RegExp(`${name} +final: ${DAY}`));
    await expectFigures(url, name, honest, DAY);
    // The endpoints share the blocks, so a run need not read from each liar the block that it lies about.
    const hosts = liars.map(({ host }) => host).join('|');
    await service.says(new RegExp(`${name} +not proven: (${hosts}): ${name} block \\d+: [\\w.[\\]]+: `));
  }
  expect(await exportFrom(url)).toMatchObject(names.map((chain) => ({ chain, evidence: 'proven' })));
}, 60_000);

test('a day of a node that cannot be proven is published with EVIDENCE_<CHAIN>=checked, and marked', async () => {
  const { url: nodeUrl } = await startNode('POLYGON');
  const liar = await startLiar(nodeUrl, 'a gas price raised by 1');
  const polygon = { RPC_URLS_POLYGON: liar.url, EVIDENCE_POLYGON: 'checked' };
  using service = startServiceProcess({ ...polygon, ...environment });
  const url = await service.ready();
  await service.says(new RegExp(`POLYGON +final: ${DAY}`));
  expect(await exportFrom(url)).toMatchObject([{ chain: 'POLYGON', evidence: 'checked', block_count: 8 }]);
}, 60_000);
