import { pageAnswer } from '../../../lambda/pages/page-answer.ts';
import { proxyEventOf } from '../../../local/proxy-event.ts';

const site = new Map([
  ['/', { mediaType: 'text/html', body: '<p></p>', etag: '"page"' }],
  ['/assets/a-1.js', { mediaType: 'text/javascript', body: 'a()', etag: '"script"' }],
]);

interface Asked {
  readonly resource?: string;
  readonly headers?: NodeJS.Dict<string[]>;
  /** What a browser asks for, with the stage in it. */
  readonly address?: string;
}

function ask(path: string, { resource = path, headers = {}, address = path }: Asked = {}) {
  const url = new URL(path, 'http://localhost');
  const event = proxyEventOf({
    method: 'GET',
    resource,
    url,
    headers,
    body: '',
    sourceIp: '',
    requestId: 'id',
  });
  return pageAnswer(site, { ...event, requestContext: { ...event.requestContext, path: address } });
}

const ASSET = { resource: '/assets/{file}' };

test('a page is asked for anew each time, and an asset, whose name has its hash, once', () => {
  expect(ask('/')).toMatchObject({
    statusCode: 200,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache', ETag: '"page"' },
    body: '<p></p>',
  });
  expect(ask('/assets/a-1.js', ASSET).headers).toMatchObject({
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=31536000, immutable',
  });
});

test('nothing but what comes from here may run, be shown or be sent to', () => {
  for (const path of site.keys()) {
    const { headers } = ask(path, path === '/' ? {} : ASSET);
    expect(headers?.['Content-Security-Policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({ 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' });
  }
});

test.each(['"page"', 'W/"page"', '"old", "page"', '*'])('%s is answered with 304', (tag) => {
  for (const name of ['If-None-Match', 'if-none-match']) {
    expect(ask('/', { headers: { [name]: [tag] } })).toMatchObject({
      statusCode: 304,
      // API Gateway would make it JSON where none is named.
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
      body: '',
    });
  }
});

test('a tag of before is answered with the page', () => {
  expect(ask('/', { headers: { 'If-None-Match': ['"old", "page"s'] } }).statusCode).toBe(200);
});

test.each([
  ['/assets/gone-2.js', ASSET],
  ['/docs', {}],
])('%s, which is not there, is answered with a problem', (path, asked) => {
  const { statusCode, body } = ask(path, asked);
  expect(statusCode).toBe(404);
  expect(JSON.parse(body)).toMatchObject({ status: 404, request_id: 'id' });
});

/** Where a browser goes that has asked for an address. */
const ledTo = (path: string, address: string, asked: Asked = {}) => {
  const { statusCode, headers } = ask(path, { ...asked, address });
  const { href } = new URL(String(headers?.Location ?? ''), `https://api.example${address}`);
  return [statusCode, href];
};

test('whoever leaves a slash out, or adds one, is led to where relative links are right, with the query', () => {
  expect(ledTo('/', '/v1')).toEqual([308, 'https://api.example/v1/']);
  expect(ledTo('/?chains=BSC&scale=log', '/v1', { resource: '/' })).toEqual([
    308,
    'https://api.example/v1/?chains=BSC&scale=log',
  ]);
  expect(ledTo('/assets/a-1.js/', '/v1/assets/a-1.js/', ASSET)).toEqual([
    308,
    'https://api.example/v1/assets/a-1.js',
  ]);
  expect(ledTo('/', '//elsewhere.example')).toEqual([308, expect.stringMatching(/^https:..api.example/)]);
  expect(ask('/', { address: '/v1/' }).statusCode).toBe(200);
});

test('below the base path of a domain the same files are found', () => {
  const based = { ...ASSET, address: '/base/assets/a-1.js' };
  expect(ask('/assets/a-1.js', based)).toMatchObject({ statusCode: 200, body: 'a()' });
  expect(ask('/', { address: '/base/' })).toMatchObject({ statusCode: 200, body: '<p></p>' });
});
