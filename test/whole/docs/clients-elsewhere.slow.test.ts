import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { functionProblems, PROBLEM_TYPE, problemBody } from '#lambda/api/problem.ts';
import { clients, copyExamples, run, testWith } from '#test/support/processes/client-process.ts';
import { useServer } from '#test/support/servers/serve.ts';

/* Runs the commands of docs/clients.md against servers that are not the API, such as a proxy, or that are unreachable. */

interface OtherServer {
  readonly respond: (response: ServerResponse) => void;
  /** The error of a client. */
  readonly error: RegExp;
  /** Which clients send the request again. */
  readonly isRepeatedBy?: 'libraries' | 'all';
}

const unavailable = (retryAfter: string) => (response: ServerResponse) =>
  response
    .writeHead(503, { 'Content-Type': PROBLEM_TYPE, 'Retry-After': retryAfter })
    .end(JSON.stringify(problemBody(functionProblems.TABLE_UNAVAILABLE, 'id')));

const otherServers: Readonly<Record<string, OtherServer>> = {
  'a login page': {
    respond: (response) => response.setHeader('Content-Type', 'text/html').end('<html>'),
    error: /200.* text\/html|CHAIN_INSIGHTS_URL .*: Expecting value/,
  },
  'a redirect': {
    respond: (response) => response.writeHead(302, { Location: anotherHost() }).end(),
    error: /302/,
  },
  'an error of a proxy': {
    respond: (response) =>
      response.writeHead(403, { 'Content-Type': 'application/json' }).end('{"message":"Forbidden"}'),
    error: /403/,
  },
  'a date in Retry-After': {
    respond: unavailable('Thu, 01 Jan 2099 00:00:00 GMT'),
    error: /temporarily unavailable/,
  },
  // curl treats 0 as no Retry-After, and would back off exponentially.
  'an unavailable service': {
    respond: unavailable('1'),
    error: /temporarily unavailable/,
    isRepeatedBy: 'all',
  },
  'a truncated response': {
    respond: (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 99 });
      response.write('[', () => response.destroy());
    },
    error: /closed|IncompleteRead/,
    isRepeatedBy: 'libraries',
  },
  'a dropped connection': {
    respond: (response) => response.destroy(),
    error: /closed|Empty reply/,
    isRepeatedBy: 'libraries',
  },
};

/** Requests to either server. */
const requests: string[] = [];
const server = createServer(({ url = '' }, response) => {
  requests.push(url);
  const [, name = ''] = url.split('/');
  otherServers[decodeURIComponent(name)]?.respond(response);
});
/** The target of the redirect, with invented figures. */
const another = createServer((_request, response) => {
  requests.push('another host');
  response.setHeader('Content-Type', 'application/json').end('[{"date":"2025-11-01","fees":"1"}]');
});
const elsewhere = useServer(server);
const anotherHost = useServer(another);
/** No test listens on a port of the system, whereas one that was free a moment ago may be another test's by now. */
const unreachable = 'http://127.0.0.1:2';
let folder: string;

beforeAll(() => {
  folder = copyExamples();
});

describe.each(Object.values(clients))('$file', ({ file, command, runtime }) => {
  const testIt = testWith(runtime);
  const hasLibrary = file === clients.typescript.file || file === clients.python.file;

  testIt(
    'reports the cause of each response that is not of the API, after five requests where another may succeed',
    async () => {
      writeFileSync(join(folder, 'fees.csv'), 'kept');
      requests.length = 0;
      const ends = Object.entries(otherServers).map(async ([name, { error, isRepeatedBy }]) => {
        const path = encodeURIComponent(name);
        const end = await run(command, { folder, url: `${elsewhere()}/${path}`, key: 'any' });
        expect([name, end]).toEqual([name, { code: 1, stdout: '', stderr: expect.stringMatching(error) }]);
        expect(end.stderr).not.toContain('Traceback');
        const sent = requests.filter((url) => url.startsWith(`/${path}/`));
        const isRepeated = isRepeatedBy === 'all' || (hasLibrary && isRepeatedBy === 'libraries');
        expect([name, sent.length]).toEqual([name, isRepeated ? 5 : 1]);
      });
      await Promise.all(ends);
      expect(requests).not.toContain('another host');
      expect(readFileSync(join(folder, 'fees.csv'), 'utf8')).toBe('kept');
    },
  );

  testIt('reports an unreachable host with the reason', async () => {
    const { code, stdout, stderr } = await run(command, { folder, url: unreachable, key: 'any' });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(new URL(unreachable).hostname);
    expect(stderr).toMatch(/refused|connect to/i);
  });
});
