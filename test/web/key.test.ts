import { problemOfKey } from '../../web/key.ts';

test('whatever a header can hold is left to the API', () => {
  expect(problemOfKey('local-key')).toBeUndefined();
  expect(problemOfKey('~!@{}|wrong')).toBeUndefined();
});

test.each(['\u200Blocal-key', '“local-key”', 'local key', 'schlüssel', 'a\nb'])(
  '%j is told to have a character that no key has',
  (key) => {
    expect(problemOfKey(key)).toMatch(/^The key has a character that no key has/);
  },
);

test('no key is asked for', () => {
  expect(problemOfKey('')).toBe('Enter your API key.');
});
