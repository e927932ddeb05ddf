import type { SSMClientConfig } from '@aws-sdk/client-ssm';
import { openParameters, ParameterError, readEndpointUrls } from '../../../lambda/rpc/endpoints-parameter.ts';
import { embeddedAccess } from '../../../local/embedded-table.ts';
import { parameter, SAID, startAwsService, type Told } from '../../support/aws-service.ts';

const NAME = '/chain-insights/endpoints/BASE';
const SECRET = 'abcdef0123456789';

/** Reads the parameter from a store that tells this of it. */
async function reading(told: Told, config: SSMClientConfig = {}) {
  await using store = await startAwsService(() => told);
  const client = openParameters({ endpoint: store.url, ...embeddedAccess, maxAttempts: 1, ...config });
  return await readEndpointUrls(client, NAME);
}

/** Why it was refused; every refusal is tested not to hold the secret. */
async function refusalOf(told: Told, config?: SSMClientConfig): Promise<ParameterError> {
  const refusal = await reading(told, config).catch((error: unknown) => error);
  if (!(refusal instanceof ParameterError)) throw new Error(`not refused, but ${refusal}`);
  expect(JSON.stringify([refusal.message, refusal.stack, refusal.cause])).not.toContain(SECRET.slice(0, 8));
  expect(refusal.cause).toBeUndefined();
  return refusal;
}

const secure = (value: string) => parameter('SecureString', value);

test('the parameter is asked for by its name, decrypted', async () => {
  await using store = await startAwsService(() => secure('https://a.example'));
  await readEndpointUrls(openParameters({ endpoint: store.url, ...embeddedAccess }), NAME);
  expect(store.requests).toEqual([
    { target: 'AmazonSSM.GetParameter', body: { Name: NAME, WithDecryption: true } },
  ]);
});

test.each([
  ['one', 'https://a.example/key', ['https://a.example/key']],
  ['by commas', 'https://b.example/1,https://a.example/2', ['https://b.example/1', 'https://a.example/2']],
  [
    'by new lines and spaces',
    ' https://b.example/1\r\n\n\thttps://a.example/2 https://c.example/3\n',
    ['https://b.example/1', 'https://a.example/2', 'https://c.example/3'],
  ],
  ['by both', 'https://b.example/1,\n https://a.example/2,', ['https://b.example/1', 'https://a.example/2']],
])('it holds URLs in their order: %s', async (_, value, urls) => {
  expect(await reading(secure(value))).toEqual(urls);
});

test.each(['', ' ', ',\n, '])('one without URLs is refused: %j', async (value) => {
  const { message, isPassing } = await refusalOf(secure(value));
  expect(message).toBe(
    `The parameter ${NAME} is empty: put the URLs of endpoints into it, separated by commas or new lines`,
  );
  expect(isPassing).toBe(false);
});

test.each([
  SECRET,
  `ftp://a.example/${SECRET}`,
  `wss://a.example/${SECRET}`,
  `"https://a.example/${SECRET}"`,
  `https://a%20b.example/${SECRET}`,
  `https://[${SECRET}]/`,
  'https://',
  `http://a.example/${SECRET}`,
])('an entry that is no URL is refused by its place alone: %s', async (entry) => {
  const { message, isPassing } = await refusalOf(secure(`https://a.example/${SECRET} ${entry}`));
  expect(message).toMatch(/: entry 2 of 2 is not an https URL, mend it$/);
  expect(isPassing).toBe(false);
});

test.each(['String', 'StringList'])('one of type %s is refused, because it keeps no secret', async (type) => {
  const { message, isPassing } = await refusalOf(parameter(type, `https://a.example/${SECRET}`));
  expect(message).toBe(
    `The parameter ${NAME} is of type ${type}, which keeps no secret: delete it and create it anew as a SecureString`,
  );
  expect(isPassing).toBe(false);
});

test('one that is not there is to be created', async () => {
  const { message, isPassing } = await refusalOf({ error: 'ParameterNotFound' });
  expect(message).toBe(
    `The parameter ${NAME} does not exist here: create it as a SecureString with the URLs of endpoints`,
  );
  expect(isPassing).toBe(false);
});

test.each(['AccessDeniedException', 'InvalidKeyId', 'ValidationException', 'KMSInvalidStateException'])(
  'when the service refuses with %s, its reason is told, and what to check',
  async (error) => {
    const { message, isPassing } = await refusalOf({ error });
    expect(message).toBe(
      `The parameter ${NAME} cannot be read (${error}, ${SAID}): ` +
        'check its name, and that the ingest may ssm:GetParameter it and kms:Decrypt with the key that encrypts it',
    );
    expect(isPassing).toBe(false);
  },
);

/** An error of jest's realm: of the real one's the SDK makes another here. */
const refusing = {
  requestHandler: {
    handle: () => Promise.reject(Object.assign(new Error(SECRET), { code: 'ECONNREFUSED' })),
  },
};
const hurried = { requestHandler: { requestTimeout: 50, throwOnRequestTimeout: true } };

test.each<[string, Told, string, SSMClientConfig]>([
  ['is throttled', { error: 'ThrottlingException' }, 'ThrottlingException', {}],
  ['is broken', { error: 'InternalServerError', status: 500 }, 'InternalServerError', {}],
  ['is silent', { hang: true }, 'ETIMEDOUT', hurried],
  ['is not there', secure(SECRET), 'ECONNREFUSED', refusing],
  ['cannot be understood', { body: `{"Parameter": {"Value": ${SECRET}` }, 'SyntaxError', {}],
])('when the service %s, that may pass', async (_, told, name, config) => {
  const { message, isPassing } = await refusalOf(told, config);
  expect(message).toBe(`The parameter ${NAME} cannot be read for now (${name}): the next run tries again`);
  expect(isPassing).toBe(true);
});

test('a service that stays silent is given up on, after it was asked three times', async () => {
  await using store = await startAwsService(() => ({ hang: true }));
  const reading = readEndpointUrls(openParameters({ endpoint: store.url, ...embeddedAccess }), NAME);
  await expect(reading).rejects.toMatchObject({ name: 'ParameterError', isPassing: true });
  expect(store.requests).toHaveLength(3);
}, 60_000);

test('the service is asked again by itself when it is throttled', async () => {
  const answers: Told[] = [{ error: 'ThrottlingException' }, { error: 'ThrottlingException' }];
  await using store = await startAwsService(() => answers.pop() ?? secure('https://a.example'));
  const client = openParameters({ endpoint: store.url, ...embeddedAccess });
  expect(await readEndpointUrls(client, NAME)).toEqual(['https://a.example/']);
});
