import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { countIn } from '#bin/cost-counts.ts';
import { DEFAULT_RATE, REQUEST_KB } from '#bin/cost-page.ts';
import { chainOf, defaultChainNames } from '#core/chains/chains.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { getBlock, getReceipts } from '#core/rpc/methods.ts';
import { dev } from '#lib/stages/dev.ts';
import { prod } from '#lib/stages/prod.ts';
import { rpcTo } from '#test/support/nodes/source.ts';

/*
 * Proves what the bill of docs/operate/cost.md assumes: bytes of a call, the rate of default nodes, what a template has. generate.slow.test.ts
 * compares the tables of the page with the templates.
 */

const page = readFileSync('docs/operate/cost.md', 'utf8');

test('six chains without requests cost $14 or less with default nodes, and more with slower ones', () => {
  const [, ...totals] =
    /\*\*six chains, no requests\*\* +\| \*\*([\d.]+)\*\* +\| \*\*([\d.]+)\*\* +\| \*\*([\d.]+)/.exec(page) ??
    [];
  const [best = 0, byDefault = 0, slower = 0] = totals.map(Number);
  expect(byDefault).toBeLessThanOrEqual(14);
  expect(best).toBeLessThan(byDefault);
  expect(slower).toBeGreaterThan(byDefault);
  expect(DEFAULT_RATE).toBe(63);
});

test('a call to a default node sends no more bytes than the bill assumes', async () => {
  const sizes: number[] = [];
  const server = createServer((socket) => {
    socket.on('data', ({ length }) => {
      sizes.push(length);
      socket.end();
    });
  }).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const hosts = defaultChainNames.flatMap((name) =>
    chainOf(name).publicEndpoints.map((url) => url.replace('https://', '')),
  );
  const longest = Math.max(...hosts.map(({ length }) => length));
  const local = `localhost:${port}`;
  const endpoint = endpointOf(chainOf('ARBITRUM'), `http://${local}`);
  const rpc = rpcTo(endpoint);
  for (const read of [getBlock, getReceipts]) await read(rpc, 500_000_000).catch(() => {});
  server.close();
  expect(sizes).toHaveLength(2);
  const withHost = Math.max(...sizes) + longest - local.length;
  // A record of TLS 1.3 adds 22 bytes, and the headers of TCP and IPv4 52.
  expect((withHost + 22 + 52) / 1_000).toBeLessThanOrEqual(REQUEST_KB);
});

test('a chain less has fewer metrics and alarms, and dev has no probe', () => {
  const all = countIn(prod);
  const fewer = countIn({ ...prod, chains: { BASE: { enabled: false } } });
  expect(fewer.customMetrics).toBeLessThan(all.customMetrics);
  expect(fewer.alarmMetrics).toBeLessThan(all.alarmMetrics);
  expect([all.hasProbe, countIn(dev).hasProbe]).toEqual([true, false]);
  expect(page).toContain(`(${all.ingestMemory} MB on arm64)`);
});
