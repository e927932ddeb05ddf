import { InvalidArgumentError } from 'commander';
import { exitCodes } from '#cli/exit-codes.ts';
import { parseDay, readChain, readInteger, validateRpcUrls } from '#cli/options.ts';

beforeEach(() => {
  jest.useFakeTimers({ now: Date.parse('2026-03-01T00:30:00Z') });
});
afterEach(() => {
  jest.useRealTimers();
});

test.each([
  ['2026-11-20', '2026-11-20'],
  ['yesterday', '2026-02-28'],
  ['Yesterday', '2026-02-28'],
  ['1-day-ago', '2026-02-28'],
  ['30-days-ago', '2026-01-30'],
])('reads %s as the day %s', (value, day) => {
  expect(parseDay(value)).toBe(day);
});

test.each([
  '2026-02-30',
  '2026-1-1',
  '20261120',
  'tomorrow',
  '0-days-ago',
  '-1-days-ago',
  '',
  '2026-11-20T00:00:00Z',
])('refuses %j as a day', (value) => {
  expect(() => parseDay(value)).toThrow(InvalidArgumentError);
});

test('reads a chain in either case and lists the chains for an unknown one', () => {
  expect(readChain('base')).toBe('BASE');
  expect(() => readChain('DOGE')).toThrow(/^Expected one of ETHEREUM, .*\.$/);
  expect(() => readChain('matic')).toThrow(/; did you mean POLYGON\?$/);
});

test.each(['0', '33', '1.5', '1e1', ' 4', '', 'x'])('refuses %j as a whole number from 1 to 32', (value) => {
  expect(() => readInteger(1, 32)(value)).toThrow('Expected a whole number from 1 to 32.');
});

test('accepts a list of RPC URLs as one value', () => {
  expect(validateRpcUrls(['https://a.example#json,20/s,https://b.example', 'https://c.example'])).toEqual([
    'https://a.example#json,20/s',
    'https://b.example',
    'https://c.example',
  ]);
});

test.each(['', ','])('refuses the empty RPC URL "%s", as of a variable that is not set', (empty) => {
  expect(() => validateRpcUrls([empty])).toThrow('--rpc-url is empty. Give a URL, or omit it.');
});

test('refuses an RPC URL with an unknown option by its position', () => {
  expect(() => validateRpcUrls(['https://a.example', 'https://b.example/key#5/m'])).toThrow(
    '--rpc-url: value 2 of 2 has the unknown option 5/m after its #. Known are json, anchor, reserve and a rate such as 20/s.',
  );
});

test('refuses an invalid RPC URL without repeating it, since a URL may hold a secret', () => {
  const urls = ['https://node.example/my-secret-key', 'ftp://node.example/my-secret-key'];
  expect(() => validateRpcUrls(urls)).toThrow(
    expect.objectContaining({
      message:
        '--rpc-url: value 2 of 2 is not an http or https URL. Expected one such as https://node.example/key.',
      exitCode: exitCodes.usage,
    }),
  );
});
