import fc from 'fast-check';
import { registeredHost } from '#core/rpc/endpoint.ts';
import { redact, secretsOf } from '#core/rpc/redact.ts';

/** Redacts a text that a node returns. */
const shown = (url: string, text: string) => {
  const parsed = new URL(url);
  return redact(secretsOf(parsed, registeredHost(parsed)), text);
};

test('no text keeps eight characters of a secret in a row, in any position and encoding', () => {
  const printable = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40, size: 'max' });
  // Asterisks in a secret would look like a redaction.
  const secrets = printable.filter((text) => !text.includes('*'));
  const label = fc.stringMatching(/^[a-z0-9]{8,40}$/);
  const urls = fc.oneof(
    secrets.map((key) => [key, `https://a.example/v2/${encodeURIComponent(key)}`] as const),
    secrets.map((key) => [key, `https://a.example/?key=${encodeURIComponent(key)}`] as const),
    secrets.map((key) => [key, `https://user:${encodeURIComponent(key)}@a.example`] as const),
    label.map((key) => [key, `https://${key}.a.example/`] as const),
  );
  const echo = fc.record({
    before: fc.string({ maxLength: 10 }),
    from: fc.nat({ max: 40 }),
    to: fc.nat({ max: 40 }),
    spell: fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toUpperCase(),
      (text: string) => text.toLowerCase(),
    ),
    isEncoded: fc.boolean(),
  });
  fc.assert(
    fc.property(urls, fc.array(echo, { minLength: 1, maxLength: 4 }), ([key, url], echoes) => {
      const encoded = encodeURIComponent(key);
      const text = echoes
        .map(
          ({ before, from, to, spell, isEncoded }) =>
            before + spell((isEncoded ? encoded : key).slice(from, to)),
        )
        .join('');
      const left = shown(url, text).toLowerCase();
      for (const spelled of [key, encoded].map((one) => one.toLowerCase())) {
        for (let at = 0; at + 8 <= spelled.length; at++)
          expect(left).not.toContain(spelled.slice(at, at + 8));
      }
    }),
    { numRuns: 500 },
  );
});

test('keeps all other text in order', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' ', '-'), maxLength: 60, size: 'max' });
  const key = fc.string({ unit: fc.constantFrom('a', 'b', '-'), minLength: 1, maxLength: 12, size: 'max' });
  fc.assert(
    fc.property(fc.array(key, { maxLength: 3 }), text, (keys, given) => {
      let at = 0;
      for (const part of redact(keys, given).split('***')) {
        const found = given.indexOf(part, at);
        expect(found).not.toBe(-1);
        at = found + part.length;
      }
      for (const short of keys.filter(({ length }) => length <= 8)) {
        expect(redact(keys, given).toLowerCase()).not.toContain(short);
      }
    }),
  );
});

test.each([
  ['part of a path with six characters', 'https://a.example/v2/abcdef', 'v2 abcdef abcde', 'v2 *** abcde'],
  ['no part with five', 'https://a.example/abcde', 'abcde', 'abcde'],
  ['value of a query, and not its name', 'https://a.example/?apikey=abcdef', 'apikey abcdef', 'apikey ***'],
  ['name of a query without a value', 'https://a.example/?abcdef', 'abcdef', '***'],
  ['user name beside a password, with three characters', 'https://abc:secret@a.example', 'abc', '***'],
  ['no shorter one, which is not a key', 'https://ab:secret@a.example', 'ab secret', 'ab ***'],
  ['user name of any length without a password', 'https://ab@a.example', 'ab', '***'],
])('hides each %s', (_, url, text, left) => {
  expect(shown(url, text)).toBe(left);
});

test.each([
  ['https://my-secret.base-mainnet.quiknode.pro/key', 'quiknode.pro'],
  ['https://base-mainnet.g.alchemy.com/v2/key', 'alchemy.com'],
  ['https://quiknode.pro', 'quiknode.pro'],
  ['https://my-secret.quiknode.pro:8443', 'quiknode.pro:8443'],
  ['https://my-secret.node.example.co.uk/', 'example.co.uk'],
  ['https://my-secret.example.com.au', 'example.com.au'],
  ['https://co.uk', 'co.uk'],
  ['https://my-secret.t.co', 't.co'],
  ['http://geth:8545', 'geth:8545'],
  ['http://localhost:8545', 'localhost:8545'],
  ['http://node.internal', 'node.internal'],
  ['http://10.20.30.40', '10.20.30.40'],
  ['http://127.0.0.1:8545', '127.0.0.1:8545'],
  ['http://[2001:db8::1]:8545', '[2001:db8::1]:8545'],
])('registeredHost of %s is %s', (url, host) => {
  expect(registeredHost(new URL(url))).toBe(host);
});
