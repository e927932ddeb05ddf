import { readFileSync } from 'node:fs';
import {
  CommandError,
  confirm,
  exitCodes,
  explainAwsError,
  interrupted,
  orStopped,
  orUsageError,
  usageError,
} from '#cli/exit-codes.ts';

/* Proves how commands end: with which code, and with which advice when AWS fails. test/unit/cli/main.test.ts runs them. */

test('a command fails with code 1 unless its error says otherwise', () => {
  expect(new CommandError('why').exitCode).toBe(exitCodes.failed);
  expect(new CommandError('why', exitCodes.checkFailed).exitCode).toBe(3);
  expect(usageError('why')).toMatchObject({ message: 'why', exitCode: 2 });
});

test('each code is in the docs, and no other', () => {
  const page = readFileSync('docs/operate/operations.md', 'utf8');
  const listed = page.split('\n').find((line) => line.startsWith('`0`: done.')) ?? '';
  const codes = [...listed.matchAll(/`(\d+)`:/g)].map(([, code]) => Number(code));
  expect(codes).toEqual(Object.values(exitCodes));
});

test('orUsageError turns any error of a reader into one about usage', () => {
  const reading = (error: unknown) => () =>
    orUsageError(() => {
      throw error;
    });
  expect(orUsageError(() => 7)).toBe(7);
  expect(reading(new TypeError('not a number'))).toThrow(usageError('not a number'));
  expect(reading('a text')).toThrow(expect.objectContaining({ message: 'a text', exitCode: 2 }));
});

test('orStopped keeps the error of work that Ctrl-C did not end', async () => {
  expect(interrupted.aborted).toBe(false);
  expect(await orStopped(Promise.resolve(7), 'Stopped.')).toBe(7);
  await expect(orStopped(Promise.reject(new Error('a bug')), 'Stopped.')).rejects.toThrow('a bug');
});

test('confirm asks nobody with --yes, and is a usage error without a terminal', async () => {
  await confirm('Delete it?', 'Nothing was deleted.', { yes: true });
  await expect(confirm('Delete it?', 'Nothing was deleted.', { yes: false })).rejects.toMatchObject({
    message: 'Nothing was deleted: without a terminal, confirm with --yes.',
    exitCode: exitCodes.usage,
  });
});

describe('explainAwsError', () => {
  test.each([
    ['CredentialsProviderError', 'Could not load credentials', /^No AWS credentials.*AWS_PROFILE/],
    ['Error', 'Region is missing', /Set AWS_REGION/],
    ['Error', 'Region not accepted: region=""', /Set AWS_REGION/],
    ['TooManyRequestsException', 'Rate exceeded', /^AWS throttles this account: Rate exceeded\. Try again/],
    ['ExpiredTokenException', 'The security token is expired', /Sign in again/],
    [
      'AccessDeniedException',
      'not authorized to perform: states:StopExecution',
      /states:StopExecution.*docs\/operate\/operations\.md/,
    ],
  ])('explains how to resolve %s of AWS', (name, message, advice) => {
    expect(explainAwsError(Object.assign(new Error(message), { name }))).toMatch(advice);
  });

  test('explains a network error', () => {
    const error = Object.assign(new Error('getaddrinfo ENOTFOUND sts.eu-central-1.amazonaws.com'), {
      code: 'ENOTFOUND',
    });
    expect(explainAwsError(error)).toMatch(/^AWS is unreachable: getaddrinfo ENOTFOUND .* Check the network/);
  });

  test('explains no other error', () => {
    expect(explainAwsError(new TypeError('x is undefined'))).toBeUndefined();
    expect(explainAwsError('x')).toBeUndefined();
  });
});
