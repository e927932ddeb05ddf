import type { SSMClientConfig } from '@aws-sdk/client-ssm';
import { chainOf } from '#core/chains/chains.ts';
import {
  createKnownUpstreams,
  createParameterStore,
  ParameterError,
  readEndpointUrls,
} from '#core/rpc/endpoints-parameter.ts';
import type { Upstream } from '#core/rpc/upstream.ts';
import { embeddedAccess } from '#local/embedded-table.ts';
import {
  type AwsEndpoint,
  type AwsResponse,
  parameter,
  SAID,
  startAwsEndpoint,
} from '#test/support/servers/aws-endpoint.ts';

const NAME = '/chain-insights/endpoints/BASE';
const SECRET = 'abcdef0123456789';

/** Reads the parameter from a service with this response. */
async function reading(response: AwsResponse, config: SSMClientConfig = {}) {
  await using store = await startAwsEndpoint(() => response);
  const client = createParameterStore({ endpoint: store.url, ...embeddedAccess, maxAttempts: 1, ...config });
  return await readEndpointUrls(client, NAME);
}

/** Returns the message of the error, after asserting that it does not contain the secret. */
async function refusalOf(response: AwsResponse, config?: SSMClientConfig): Promise<ParameterError> {
  const refusal = await reading(response, config).catch((error: unknown) => error);
  if (!(refusal instanceof ParameterError)) throw new Error(`not refused, but ${refusal}`);
  expect(JSON.stringify([refusal.message, refusal.stack, refusal.cause])).not.toContain(SECRET.slice(0, 8));
  expect(refusal.cause).toBeUndefined();
  return refusal;
}

const secure = (value: string) => parameter('SecureString', value);

const ENTRY_2 = 'is not valid: entry 2 of 2';

test.each<[string, AwsResponse, string]>([
  ...['', ' ', ',\n, '].map((value): [string, AwsResponse, string] => [
    `a value without URLs: ${JSON.stringify(value)}`,
    secure(value),
    'is empty. Set it to the URLs of endpoints, separated by commas or new lines.',
  ]),
  ...[
    SECRET,
    `ftp://a.example/${SECRET}`,
    `wss://a.example/${SECRET}`,
    `"https://a.example/${SECRET}"`,
    `https://a%20b.example/${SECRET}`,
    `https://[${SECRET}]/`,
    'https://',
    `http://a.example/${SECRET}`,
  ].map((entry): [string, AwsResponse, string] => [
    `an entry that is not an https URL by its position only: ${entry}`,
    secure(`https://a.example/${SECRET} ${entry}`),
    `${ENTRY_2} is not an https URL. Correct it.`,
  ]),
  [
    'an entry with an unknown option by its position, and names the known ones',
    secure(`https://a.example/${SECRET}#json,https://b.example/${SECRET}#json,reserv`),
    `${ENTRY_2} has the unknown option reserv after its #. Known are json, anchor, reserve and a rate such as 20/s. Correct it.`,
  ],
  ...['String', 'StringList'].map((type): [string, AwsResponse, string] => [
    `the type ${type}, which is not encrypted`,
    parameter(type, `https://a.example/${SECRET}`),
    `is of type ${type}, which is not encrypted. Delete it and create it as a SecureString.`,
  ]),
  ...['AccessDeniedException', 'InvalidKeyId', 'ValidationException', 'KMSInvalidStateException'].map(
    (error): [string, AwsResponse, string] => [
      `${error} of the service with the permissions`,
      { error },
      `cannot be read (${error}, ${SAID}). Check its name, and allow the ingest ssm:GetParameter on it and kms:Decrypt with its key.`,
    ],
  ),
])('refuses %s', async (_, response, reason) => {
  const { message, isTransient } = await refusalOf(response);
  expect([message, isTransient]).toEqual([`The parameter ${NAME} ${reason}`, false]);
});

test('asks for a parameter by its name, decrypted', async () => {
  await using store = await startAwsEndpoint(() => secure('https://a.example'));
  await readEndpointUrls(createParameterStore({ endpoint: store.url, ...embeddedAccess }), NAME);
  expect(store.requests.map(({ input }) => input)).toEqual([{ Name: NAME, WithDecryption: true }]);
});

/** An error of Jest's realm; the SDK wraps errors of other realms. */
const refusing = {
  requestHandler: {
    handle: () => Promise.reject(Object.assign(new Error(SECRET), { code: 'ECONNREFUSED' })),
  },
};
const hurried = { requestHandler: { requestTimeout: 50, throwOnRequestTimeout: true } };

test.each<[string, AwsResponse, string, SSMClientConfig]>([
  ['is throttled', { error: 'ThrottlingException' }, 'ThrottlingException', {}],
  ['fails', { error: 'InternalServerError', status: 500 }, 'InternalServerError', {}],
  ['fails as no retry helps', { error: 'NotImplemented', status: 501 }, 'NotImplemented', {}],
  ['does not answer', { hang: true }, 'ETIMEDOUT', hurried],
  ['is unreachable', secure(SECRET), 'ECONNREFUSED', refusing],
  ['returns invalid JSON', { body: `{"Parameter": {"Value": ${SECRET}` }, 'SyntaxError', {}],
])('reports a transient failure when the service %s', async (_, response, name, config) => {
  const { message, isTransient } = await refusalOf(response, config);
  expect(message).toBe(`The parameter ${NAME} cannot be read now (${name}). The next run tries again.`);
  expect(isTransient).toBe(true);
});

test('gives up on a silent service after three attempts', async () => {
  await using store = await startAwsEndpoint(() => ({ hang: true }));
  const reading = readEndpointUrls(createParameterStore({ endpoint: store.url, ...embeddedAccess }), NAME);
  await expect(reading).rejects.toMatchObject({ name: 'ParameterError', isTransient: true });
  expect(store.requests).toHaveLength(3);
}, 60_000);

const base = chainOf('BASE');
const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
beforeEach(() => warn.mockClear());

const upstreamsFrom = ({ url }: AwsEndpoint) =>
  createKnownUpstreams(createParameterStore({ endpoint: url, ...embeddedAccess, maxAttempts: 1 }));
const urlsOf = (upstreams: readonly Upstream[]) => upstreams.map(({ endpoint }) => endpoint.url);
const hostsOf = (upstreams: readonly Upstream[]) => upstreams.map(({ endpoint }) => endpoint.host);

/** The response of the service; a test may change it between two runs. */
let response: AwsResponse;
const put = (value: string) => {
  response = parameter('SecureString', value);
};
beforeEach(() => put('https://a.rpc.example/key-one, https://b.rpc.example/key-two'));
const store = () => startAwsEndpoint(() => response);

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
