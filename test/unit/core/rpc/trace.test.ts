import { chainOf } from '#core/chains/chains.ts';
import { EndpointError, endpointOf } from '#core/rpc/endpoint.ts';
import { type TraceLine, traced } from '#core/rpc/trace.ts';

/* Proves what a trace shows of a request: what was asked, in words that a person reads, and how it ended. */

async function lineOf(request: string, send: () => Promise<unknown> = async () => 7) {
  const lines: TraceLine[] = [];
  await traced((line) => lines.push(line), 'a.example', request, send).catch(() => {});
  expect(lines).toHaveLength(1);
  return lines[0];
}

test.each([
  ['eth_getBlockByNumber 0x1406f40 true', 'eth_getBlockByNumber 21000000 true'],
  ['eth_call 0xfffffffffffff', 'eth_call 4503599627370495'],
  [`eth_getBlockByHash 0x${'ab'.repeat(32)} false`, 'eth_getBlockByHash 0xabababab… false'],
  ['eth_call 0xabcdef01234567', 'eth_call 0xabcdef01…'],
  ['finality_update\u001b[31m', 'finality_update [31m'],
  ['x'.repeat(121), 'x'.repeat(120)],
])('writes %j as %j: numbers in decimal, hashes cut, 120 characters at most', async (request, shown) => {
  expect(await lineOf(request)).toEqual({
    host: 'a.example',
    request: shown,
    ms: expect.any(Number),
    outcome: 'ok',
  });
});

test('says how a request ended, and hides neither its answer nor its error', async () => {
  const endpoint = endpointOf(chainOf('BSC'), 'https://a.example/');
  const timeout = new EndpointError(endpoint, 'no response', 'timeout');
  expect(await lineOf('eth_chainId', () => Promise.reject(timeout))).toMatchObject({ outcome: 'timeout' });
  expect(await lineOf('eth_chainId', () => Promise.reject(new Error('over')))).toMatchObject({
    outcome: 'aborted',
  });
  for (const trace of [undefined, () => {}]) {
    expect(await traced(trace, 'a.example', 'eth_chainId', async () => 7)).toBe(7);
    await expect(traced(trace, 'a.example', 'eth_chainId', () => Promise.reject(timeout))).rejects.toBe(
      timeout,
    );
  }
});
