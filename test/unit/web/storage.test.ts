import { keyError } from '#web/storage.ts';

test('accepts any key that a header can hold', () => {
  expect(keyError('local-key')).toBeUndefined();
  expect(keyError('~!@{}|wrong')).toBeUndefined();
});

test.each(['\u200Blocal-key', '“local-key”', 'local key', 'schlüssel', 'a\nb'])(
  'refuses %j for its invalid character',
  (key) => {
    expect(keyError(key)).toMatch(/^The key contains an invalid character/);
  },
);

test('asks for a missing key', () => {
  expect(keyError('')).toBe('Enter your API key.');
});
