import { InvalidArgumentError } from 'commander';
import { readChain, readDay, readInteger } from '../../cli/options.ts';

beforeEach(() => {
  jest.useFakeTimers({ now: Date.parse('2026-03-01T00:30:00Z') });
});
afterEach(() => {
  jest.useRealTimers();
});

test.each([
  ['2026-11-20', '2026-11-20'],
  ['yesterday', '2026-02-28'],
  ['1-day-ago', '2026-02-28'],
  ['30-days-ago', '2026-01-30'],
])('%s is the day %s', (value, day) => {
  expect(readDay(value)).toBe(day);
});

test.each(['2026-02-30', '2026-1-1', '20261120', 'tomorrow', '-1-days-ago', '', '2026-11-20T00:00:00Z'])(
  '%j is no day',
  (value) => {
    expect(() => readDay(value)).toThrow(InvalidArgumentError);
  },
);

test('chains are known in small letters too', () => {
  expect(readChain('base')).toBe('BASE');
  expect(() => readChain('DOGE')).toThrow('It is one of ETHEREUM, ');
});

test.each(['0', '33', '1.5', '1e1', ' 4', '', 'x'])('%j is no whole number from 1 to 32', (value) => {
  expect(() => readInteger(1, 32)(value)).toThrow('It is a whole number from 1 to 32.');
});

test('a whole number within its bounds is taken', () => {
  expect(['1', '32'].map(readInteger(1, 32))).toEqual([1, 32]);
});
