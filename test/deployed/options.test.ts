import { gapOf, readOptions, readTarget } from './options.ts';

test('tries the stage e2e without nodes by default', () => {
  expect(readOptions([])).toMatchObject({ stage: 'e2e', keep: false, clean: false });
  expect(readOptions([])['node-cert']).toBeUndefined();
});

test.each([
  ['--stage', 'prod'],
  ['--stage', 'Dev_1'],
  ['--account', '12345'],
  ['--node-cert', 'cert.pem'],
  ['--region', 'eu-central-1'],
])('refuses %s %s', (...words) => {
  expect(() => readOptions(words)).toThrow();
});

test('refuses a real account that the options do not name', () => {
  const environment = { AWS_REGION: 'eu-central-1' };
  expect(() => readTarget({}, environment)).toThrow('Set it, or name the account with --account.');
  expect(readTarget({ account: '123456789012' }, environment)).toMatchObject({ isEmulator: false });
});

test('takes an endpoint for an emulator, and the region from either variable', () => {
  const environment = { AWS_ENDPOINT_URL: 'http://127.0.0.1:4566', AWS_DEFAULT_REGION: 'eu-north-1' };
  expect(readTarget({}, environment)).toEqual({
    isEmulator: true,
    endpoint: 'http://127.0.0.1:4566',
    region: 'eu-north-1',
  });
  expect(() => readTarget({}, { AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' })).toThrow('No AWS region is set');
});

test('excuses a known difference on an emulator, and never in an account', () => {
  expect(gapOf({ isEmulator: true, region: 'eu-north-1' }, 'it lacks this')).toBe('it lacks this');
  expect(gapOf({ isEmulator: false, region: 'eu-north-1' }, 'it lacks this')).toBeUndefined();
});
