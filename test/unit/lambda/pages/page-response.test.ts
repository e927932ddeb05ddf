import { gunzipSync } from 'node:zlib';
import { pageResponse } from '#lambda/pages/page-response.ts';
import { eventOf } from '#test/support/servers/api-event.ts';

const site = new Map([
  ['/', { mediaType: 'text/html', body: '<p></p>', etag: '"page"' }],
  ['/embed', { mediaType: 'text/html', body: '<i></i>', etag: '"embed"' }],
  [
    '/public/BSC.parquet',
    { mediaType: 'application/x', body: 'AP8=', etag: '"days"', isBinary: true as const },
  ],
  ['/assets/a-1.js', { mediaType: 'text/javascript', body: 'a()', etag: '"script"' }],
  [
    '/{proxy+}',
    {
      mediaType: 'text/html',
      body: '<img src="data:,"><a href="./">e</a><link href="assets/a.css"><b><!-- path --></b>',
      etag: '"missing"',
    },
  ],
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

test('compresses in the function what API Gateway would not, with a weak tag, and says that the coding varies', () => {
  const { statusCode, headers, body, isBase64Encoded } = request('/', { headers: {} });
  expect([statusCode, isBase64Encoded]).toEqual([200, true]);
  expect(headers).toMatchObject({
    'Content-Encoding': 'gzip',
    ETag: 'W/"page"',
    Vary: 'Accept-Encoding',
    'Content-Type': 'text/html; charset=utf-8',
  });
  expect(gunzipSync(Buffer.from(body, 'base64')).toString()).toBe('<p></p>');
});

test('sends text to callers for whom API Gateway compresses, and 406 to those who forbid it', () => {
  const answerTo = (value: string) => request('/', { headers: { 'ACCEPT-ENCODING': [value] } });
  const { headers, body, isBase64Encoded = false } = answerTo('gzip, br');
  expect([body, isBase64Encoded, headers?.ETag]).toEqual(['<p></p>', false, '"page"']);
  expect(headers).not.toHaveProperty('Content-Encoding');
  const refused = answerTo('identity');
  expect(refused.statusCode).toBe(406);
  expect(JSON.parse(refused.body)).toMatchObject({ status: 406, title: 'Not Acceptable', request_id: 'id' });
});

test.each([[[]], [['gzip']], [['identity']]])(
  'with Accept-Encoding %j, sends what is compressed already as it is',
  (coding) => {
    const headers = { 'Accept-Encoding': coding };
    const path = '/public/BSC.parquet';
    const response = request(path, { resource: '/public/{file}', headers });
    expect(response).toMatchObject({ statusCode: 200, body: 'AP8=', isBase64Encoded: true });
    expect(response.headers).toMatchObject({ 'Content-Type': 'application/x', ETag: '"days"' });
    expect(response.headers).not.toHaveProperty('Content-Encoding');
    const known = { ...headers, 'If-None-Match': ['"days"'] };
    expect(request(path, { resource: '/public/{file}', headers: known }).statusCode).toBe(304);
  },
);

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

const BROWSER = { accept: ['text/html,application/xhtml+xml,*/*;q=0.8'] };

test.each([
  ['/nothing', './', {}],
  ['/a/b', '../', {}],
  ['/a/b/', '../../', {}],
  ['/a/b', '../', { address: '/v1/a/b' }],
  ['/assets/gone-2.js', '../', ASSET],
  ['/embed', './', {}],
  ['/{proxy+}', './', {}],
])('shows a browser at %s a page, whose links lead to %s', (path, root, given: PageRequest) => {
  const resource = given.resource ?? '/{proxy+}';
  const { statusCode, headers, body } = request(path, { ...given, resource, headers: BROWSER });
  expect([statusCode, headers?.['Content-Type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(headers).toMatchObject({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': expect.any(String),
  });
  expect(body).toBe(
    `<img src="data:,"><a href="${root}">e</a><link href="${root}assets/a.css"><b>${given.address ?? path}</b>`,
  );
});

test('answers programs at an unknown path with a problem, also where a file has its name', () => {
  for (const accept of [[], ['*/*'], ['application/json']]) {
    const { statusCode, body } = request('/docs', { resource: '/{proxy+}', headers: { accept } });
    expect([statusCode, JSON.parse(body).status]).toEqual([404, 404]);
  }
});

test('shows an address as text, never as HTML', () => {
  const address = `/<script>alert("1")</script>$'&amp;`;
  const { body } = request('/x', { resource: '/{proxy+}', headers: BROWSER, address });
  expect(body).toContain('<b>/&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;$&#39;&#38;amp;</b>');
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
  const headers = { 'accept-encoding': ['gzip'] };
  const based = { ...ASSET, headers, address: '/base/assets/a-1.js' };
  expect(request('/assets/a-1.js', based)).toMatchObject({ statusCode: 200, body: 'a()' });
  expect(request('/', { headers, address: '/base/' })).toMatchObject({ statusCode: 200, body: '<p></p>' });
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
