import fc from 'fast-check';
import { printable, printableJson } from '#core/printable.ts';

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

test('leaves no control, format or separator character, and keeps all others', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(printable(text)).not.toMatch(UNPRINTABLE);
    }),
    { numRuns: 500 },
  );
  expect(printable('Ünïcode 例 🙂 = 1')).toBe('Ünïcode 例 🙂 = 1');
});

test('keeps the meaning of JSON', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const json = printableJson(JSON.stringify({ text }, undefined, 2));
      expect(json.replaceAll('\n', '')).not.toMatch(UNPRINTABLE);
      expect(JSON.parse(json)).toEqual({ text });
    }),
    { numRuns: 500 },
  );
});
