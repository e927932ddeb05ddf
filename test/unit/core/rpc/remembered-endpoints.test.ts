import { chainOf } from '#core/chains/chains.ts';
import { createParameterStore } from '#core/rpc/endpoints-parameter.ts';
import { createKnownUpstreams } from '#core/rpc/remembered-endpoints.ts';
import type { Upstream } from '#core/rpc/upstream.ts';
import { embeddedAccess } from '#local/embedded-table.ts';
import {
  type AwsResponse,
  type AwsService,
  parameter,
  startAwsService,
} from '#test/support/servers/aws-service.ts';

const base = chainOf('BASE');
const NAME = '/chain-insights/endpoints';
const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
beforeEach(() => warn.mockClear());
afterAll(() => warn.mockRestore());

const upstreamsFrom = ({ url }: AwsService) =>
  createKnownUpstreams(createParameterStore({ endpoint: url, ...embeddedAccess, maxAttempts: 1 }));
const urlsOf = (upstreams: readonly Upstream[]) => upstreams.map(({ endpoint }) => endpoint.url);
const hostsOf = (upstreams: readonly Upstream[]) => upstreams.map(({ endpoint }) => endpoint.host);

/** The response of the service; a test may change it between two runs. */
let response: AwsResponse;
const put = (value: string) => {
  response = parameter('SecureString', value);
};
beforeEach(() => put('https://a.rpc.example/key-one, https://b.rpc.example/key-two'));
const store = () => startAwsService(() => response);

test('uses the public endpoints, with full hosts, without a parameter', async () => {
  await using parameters = await store();
  const upstreams = await upstreamsFrom(parameters)(base, undefined);
  expect(hostsOf(upstreams)).toEqual(base.publicEndpoints.map((url) => new URL(url).host));
  expect(parameters.requests).toEqual([]);
});

test('uses the endpoints of a parameter, with names without secrets', async () => {
  await using parameters = await store();
  const upstreams = await upstreamsFrom(parameters)(base, NAME);
  expect(urlsOf(upstreams)).toEqual(['https://a.rpc.example/key-one', 'https://b.rpc.example/key-two']);
  expect(hostsOf(upstreams)).toEqual(['rpc.example', 'rpc.example#2']);
});

test('reads the parameter for each run, and keeps the upstreams while the list is the same', async () => {
  await using parameters = await store();
  const upstreamsOf = upstreamsFrom(parameters);
  const first = await upstreamsOf(base, NAME);
  put('https://a.rpc.example/key-one\nhttps://b.rpc.example/key-two');
  expect(await upstreamsOf(base, NAME)).toBe(first);
  expect(parameters.requests).toHaveLength(2);
  put('https://b.rpc.example/key-two, https://a.rpc.example/key-one');
  const changed = await upstreamsOf(base, NAME);
  expect(urlsOf(changed)).toEqual(['https://b.rpc.example/key-two', 'https://a.rpc.example/key-one']);
  expect(await upstreamsOf(base, NAME)).toBe(changed);
});

describe('when reading the parameter fails transiently', () => {
  const throttled = () => {
    response = { error: 'ThrottlingException' };
  };

  test('uses the last known endpoints and logs the reason', async () => {
    await using parameters = await store();
    const upstreamsOf = upstreamsFrom(parameters);
    const before = await upstreamsOf(base, NAME);
    throttled();
    expect(await upstreamsOf(base, NAME)).toBe(before);
    expect(warn.mock.calls).toEqual([
      [
        {
          chain: 'BASE',
          problem: 'using the last known endpoints',
          reason: expect.stringContaining(`The parameter ${NAME} cannot be read now`),
        },
      ],
    ]);
  });

  test.each(['/another', undefined])('does not use those of another parameter: %s', async (other) => {
    await using parameters = await store();
    const upstreamsOf = upstreamsFrom(parameters);
    await upstreamsOf(base, other);
    throttled();
    await expect(upstreamsOf(base, NAME)).rejects.toThrow('cannot be read now (ThrottlingException)');
    expect(warn).not.toHaveBeenCalled();
  });
});

test.each<[string, AwsResponse]>([
  ['is deleted', { error: 'ParameterNotFound' }],
  ['is forbidden', { error: 'AccessDeniedException' }],
  ['has an invalid URL', parameter('SecureString', 'key-one')],
])('throws when the parameter %s', async (_, now) => {
  await using parameters = await store();
  const upstreamsOf = upstreamsFrom(parameters);
  await upstreamsOf(base, NAME);
  response = now;
  await expect(upstreamsOf(base, NAME)).rejects.toThrow(`The parameter ${NAME}`);
  // Nor are its earlier endpoints used in a later transient failure.
  response = { error: 'ThrottlingException' };
  await expect(upstreamsOf(base, NAME)).rejects.toThrow('cannot be read now (ThrottlingException)');
  expect(warn).not.toHaveBeenCalled();
});
