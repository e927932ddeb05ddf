import { types } from 'node:util';
import { fetchFrom } from './in-process-fetch.ts';
import { type Answer, startJsonRpcServer } from './json-rpc-server.ts';

const asked = { method: 'POST', body: JSON.stringify({ id: 1, method: 'eth_chainId', params: [] }) };

async function outcome(fetching: typeof fetch, url: string) {
  try {
    const response = await fetching(url, { ...asked, signal: AbortSignal.timeout(200) });
    const wait = response.headers.get('retry-after');
    return { status: response.status, wait, text: await response.text() };
  } catch (error) {
    // Those of the real fetch are no instances of the Error that jest gives a test.
    if (!types.isNativeError(error)) throw error;
    return { name: error.name, message: error.message, hasCause: types.isNativeError(error.cause) };
  }
}

test.each<[string, Answer]>([
  ['a result', { result: '0x1' }],
  ['none', { result: undefined }],
  ['the id of another question', { result: '0x1', id: 2 }],
  ['an error', { error: { code: -32005, message: 'limit exceeded' } }],
  ['a status', { status: 429, body: 'slow down', headers: { 'retry-after': '7' } }],
  ['text', { status: 200, body: '<html>' }],
  ['a broken connection', { hangUp: true }],
  ['half a body', { cutOff: '{"jsonrpc":' }],
  ['silence', { hang: true }],
])('what is answered with %s looks as it does over a network', async (_, answer) => {
  await using server = await startJsonRpcServer(() => answer);
  const inProcess = fetchFrom(() => () => answer);
  expect(await outcome(inProcess, server.url)).toEqual(await outcome(fetch, server.url));
});

test('a host that nobody answers for is not found', async () => {
  const inProcess = fetchFrom((url) => (url.host === 'one' ? () => ({ result: url.pathname }) : undefined));
  expect(await outcome(inProcess, 'http://one/key')).toMatchObject({
    text: '{"jsonrpc":"2.0","id":1,"result":"/key"}',
  });
  expect(await outcome(inProcess, 'http://other/')).toMatchObject({
    name: 'TypeError',
    message: 'fetch failed',
  });
});

test('nothing is asked when the signal has aborted before', async () => {
  const inProcess = fetchFrom(() => () => ({ result: '0x1' }));
  await expect(
    inProcess('http://one/', { ...asked, signal: AbortSignal.abort(new Error('over')) }),
  ).rejects.toThrow('over');
});
