import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { functionProblems } from '../../lambda/api/function-problems.ts';
import { PROBLEM_TYPE, problemBody } from '../../lambda/api/problem.ts';
import { endServer, listen } from '../../local/listen.ts';
import { clients, copyExamples, run, testWith } from '../support/client-process.ts';

/* The commands of docs/clients.md where something else than the API answers, such as a proxy, or nobody does. */

interface Strange {
  readonly answer: (response: ServerResponse) => void;
  /** What a client says of it. */
  readonly told: RegExp;
}

/** Retry-After is in seconds, or a date. */
const unavailable = (retryAfter: string) => (response: ServerResponse) =>
  response
    .writeHead(503, { 'Content-Type': PROBLEM_TYPE, 'Retry-After': retryAfter })
    .end(JSON.stringify(problemBody(functionProblems.TABLE_UNAVAILABLE, 'id')));

const strange: Readonly<Record<string, Strange>> = {
  'a page to log in': {
    answer: (response) => response.setHeader('Content-Type', 'text/html').end('<html>'),
    told: /200.* text\/html|CHAIN_INSIGHTS_URL, .*: Expecting value/,
  },
  'a way elsewhere': {
    answer: (response) => response.writeHead(302, { Location: anotherHost }).end(),
    told: /302/,
  },
  'an error of another kind': {
    answer: (response) =>
      response.writeHead(403, { 'Content-Type': 'application/json' }).end('{"message":"Forbidden"}'),
    told: /403/,
  },
  'a date to come back at': {
    answer: unavailable('Thu, 01 Jan 2099 00:00:00 GMT'),
    told: /temporarily unavailable/,
  },
  'half of an answer': {
    answer: (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 99 });
      response.write('[', () => response.destroy());
    },
    told: /closed|IncompleteRead/,
  },
  'no answer': { answer: (response) => response.destroy(), told: /closed|Empty reply/ },
};

/** Of either server. */
const asked: string[] = [];
const server = createServer(({ url = '' }, response) => {
  asked.push(url);
  const [, name = ''] = url.split('/');
  // A name that is none of theirs is what Retry-After says.
  const { answer = unavailable(name) } = strange[decodeURIComponent(name)] ?? {};
  answer(response);
});
/** Where the way elsewhere leads: to figures that are made up. */
const another = createServer((_request, response) => {
  asked.push('another host');
  response.setHeader('Content-Type', 'application/json').end('[{"date":"2025-11-01","fees":"1"}]');
});
const closed = createServer();
let elsewhere: string;
let anotherHost: string;
let nobody: string;
let folder: string;

beforeAll(async () => {
  elsewhere = `http://localhost:${await listen(server, { port: 0 })}`;
  anotherHost = `http://localhost:${await listen(another, { port: 0 })}`;
  nobody = `http://localhost:${await listen(closed, { port: 0 })}`;
  closed.close();
  folder = copyExamples();
});
afterAll(async () => {
  await Promise.all([server, another].map(endServer));
  rmSync(folder, { recursive: true });
});

describe.each(Object.values(clients))('$file', ({ command, runtime }) => {
  const testIt = testWith(runtime);

  testIt.each(Object.entries(strange))('asks once, and says what it was, for %s', async (name, { told }) => {
    writeFileSync(join(folder, 'fees.csv'), 'kept');
    asked.length = 0;
    const url = `${elsewhere}/${encodeURIComponent(name)}`;
    const { code, stdout, stderr } = await run(command, { folder, url, key: 'any' });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(told);
    expect(stderr).not.toContain('Traceback');
    expect(asked).toEqual([expect.stringContaining(encodeURIComponent(name))]);
    expect(readFileSync(join(folder, 'fees.csv'), 'utf8')).toBe('kept');
  });

  testIt('asks five times in all where the service stays unavailable', async () => {
    asked.length = 0;
    // curl takes 0 for no Retry-After, and would wait for longer and longer.
    const url = `${elsewhere}/${runtime === 'curl' ? 1 : 0}`;
    const { code, stdout, stderr } = await run(command, { folder, url, key: 'any' });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(functionProblems.TABLE_UNAVAILABLE.detail);
    expect(asked).toHaveLength(5);
  });

  testIt('says where nobody answered, and why', async () => {
    const { code, stdout, stderr } = await run(command, { folder, url: nobody, key: 'any' });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('localhost');
    expect(stderr).toMatch(/refused|connect to/i);
  });
});

describe.each([clients.typescript, clients.python])('$file', ({ command, runtime }) => {
  testWith(runtime)('tells of an empty URL in one line', async () => {
    const { code, stdout, stderr } = await run(command, { folder, url: '', key: 'any' });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^No \w+ from CHAIN_INSIGHTS_URL, : .*\n$/);
  });
});
