import { types } from 'node:util';
import { sendHttp } from '#core/rpc/http/http-request.ts';
import { type NodeResponse, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { dispatchBy, dispatchFrom } from './in-process-dispatch.ts';

const calls = { headers: {}, body: JSON.stringify({ id: 1, method: 'eth_chainId', params: [] }) };

/** @param patience milliseconds, reached only without a response */
async function outcome(url: string, patience = 20_000) {
  try {
    return await sendHttp(
      { url, ...calls, signal: AbortSignal.timeout(patience) },
      ({ status, header, body }) => ({ status, wait: header('retry-after'), text: body.toString() }),
    );
  } catch (error) {
    // Some belong to another realm than Jest's Error.
    if (!types.isNativeError(error)) throw error;
    return { name: error.name, code: 'code' in error && error.code };
  }
}

test.each<[string, NodeResponse]>([
  ['a result', { result: '0x1' }],
  ['none', { result: undefined }],
  ['the id of another question', { result: '0x1', id: 2 }],
  ['an error', { error: { code: -32005, message: 'limit exceeded' } }],
  ['a status', { status: 429, body: 'slow down', headers: { 'Retry-After': '7' } }],
  ['text', { status: 200, body: '<html>' }],
  ['a broken connection', { hangUp: true }],
  ['half a body', { cutOff: '{"jsonrpc":' }],
  ['silence', { hang: true }],
])('what is answered with %s looks as it does over a network', async (_, answer) => {
  const patience = 'hang' in answer ? 200 : 20_000;
  await using server = await startJsonRpcServer(() => answer);
  const overNetwork = await outcome(server.url, patience);
  using _inProcess = dispatchBy(dispatchFrom(() => () => answer));
  expect(await outcome(server.url, patience)).toEqual(overNetwork);
});

test('an unknown host is not found', async () => {
  using _inProcess = dispatchBy(
    dispatchFrom((url) => (url.host === 'one' ? () => ({ result: url.pathname }) : undefined)),
  );
  expect(await outcome('http://one/key')).toMatchObject({ text: '{"jsonrpc":"2.0","id":1,"result":"/key"}' });
  expect(await outcome('http://other/')).toMatchObject({ code: 'ENOTFOUND' });
});
