import fc from 'fast-check';
import { escapedJson, withoutControls } from '#web/data/printable.ts';

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

test('leaves no character that reorders or hides text, and keeps all others', () => {
  expect(withoutControls('a\u202eb\u2066\u2069c\u200b\u061c')).toBe('a b c ');
  expect(withoutControls('Ünïcode 例 🙂 = 1')).toBe('Ünïcode 例 🙂 = 1');
});

test('escapes such characters in JSON without changing its meaning', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const json = escapedJson(JSON.stringify({ text }, null, 2));
      expect(json.replaceAll('\n', '')).not.toMatch(UNPRINTABLE);
      expect(JSON.parse(json)).toEqual({ text });
    }),
  );
});
