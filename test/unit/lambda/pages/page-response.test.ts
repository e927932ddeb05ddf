import { pageResponse } from '#lambda/pages/page-response.ts';
import { eventOf } from '#test/support/servers/api-event.ts';

const site = new Map([
  ['/', { mediaType: 'text/html', body: '<p></p>', etag: '"page"' }],
  ['/embed', { mediaType: 'text/html', body: '<i></i>', etag: '"embed"' }],
  ['/assets/a-1.js', { mediaType: 'text/javascript', body: 'a()', etag: '"script"' }],
]);

interface PageRequest {
  readonly resource?: string;
  readonly headers?: NodeJS.Dict<string[]>;
  /** The path that the browser requested, including the stage. */
  readonly address?: string;
  readonly embedOrigins?: string;
}

function request(
  path: string,
  { resource = path, headers = {}, address = path, embedOrigins = '' }: PageRequest = {},
) {
  const event = eventOf(path, { resource, headers });
  return pageResponse(
    site,
    { ...event, requestContext: { ...event.requestContext, path: address } },
    embedOrigins,
  );
}

const ASSET = { resource: '/assets/{file}' };

test('lets browsers come back with TLS alone for a year', () => {
  for (const path of ['/', '/assets/a-1.js'])
    expect(request(path).headers).toMatchObject({ 'Strict-Transport-Security': 'max-age=31536000' });
});

test('only the origins of the stage may embed charts, and without any there is no such page', () => {
  const embedOrigins = 'https://a.example https://b.example';
  const policyOf = (path: string) => request(path, { embedOrigins }).headers?.['Content-Security-Policy'];
  expect(policyOf('/embed')).toMatch(/; frame-ancestors https:\/\/a\.example https:\/\/b\.example$/);
  expect(policyOf('/')).toMatch(/; frame-ancestors 'none'$/);
  expect(request('/embed').statusCode).toBe(404);
});

test.each(['"page"', 'W/"page"', '"old", "page"', '*'])('answers If-None-Match: %s with 304', (tag) => {
  for (const name of ['If-None-Match', 'if-none-match']) {
    expect(request('/', { headers: { [name]: [tag] } })).toMatchObject({
      statusCode: 304,
      // API Gateway would add a JSON type to a response without one.
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
      body: '',
    });
  }
});

test.each([
  ['/assets/gone-2.js', ASSET],
  ['/docs', {}],
])('answers the unknown path %s with a 404 problem', (path, given) => {
  const { statusCode, body } = request(path, given);
  expect(statusCode).toBe(404);
  expect(JSON.parse(body)).toMatchObject({ status: 404, request_id: 'id' });
});

/** Returns the status, and the address that the browser is redirected to. */
const redirectOf = (path: string, address: string, given: PageRequest = {}) => {
  const { statusCode, headers } = request(path, { ...given, address });
  const { href } = new URL(String(headers?.Location ?? ''), `https://api.example${address}`);
  return [statusCode, href];
};

test('redirects a missing or extra final slash, and keeps the query', () => {
  expect(redirectOf('/', '/v1')).toEqual([308, 'https://api.example/v1/']);
  expect(redirectOf('/?chains=BSC&scale=log', '/v1', { resource: '/' })).toEqual([
    308,
    'https://api.example/v1/?chains=BSC&scale=log',
  ]);
  expect(redirectOf('/assets/a-1.js/', '/v1/assets/a-1.js/', ASSET)).toEqual([
    308,
    'https://api.example/v1/assets/a-1.js',
  ]);
  expect(redirectOf('/', '//elsewhere.example')).toEqual([
    308,
    expect.stringMatching(/^https:..api.example/),
  ]);
  expect(request('/', { address: '/v1/' }).statusCode).toBe(200);
});

test('serves the same files below the base path of a domain', () => {
  const based = { ...ASSET, address: '/base/assets/a-1.js' };
  expect(request('/assets/a-1.js', based)).toMatchObject({ statusCode: 200, body: 'a()' });
  expect(request('/', { address: '/base/' })).toMatchObject({ statusCode: 200, body: '<p></p>' });
});

test.each(["$'", '$`', '$&', '$$', '$1', "$'a-1.js", 'a-1.js$`'])(
  'answers the asset name %s with 404: it is not a pattern',
  (file) => {
    const { statusCode } = request(`/assets/${file}`, ASSET);
    expect(statusCode).toBe(404);
  },
);

test.each(['/v1\r\nX-Evil: 1', '/v1/a\0', '/v1 x'])(
  'redirects to no address with control characters: %p',
  (address) => {
    expect(request('/', { address })).toMatchObject({ statusCode: 404 });
  },
);
