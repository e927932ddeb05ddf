import fc from 'fast-check';
import { asSentence, printable } from '#core/printable.ts';

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

test('leaves no control, format or separator character, and keeps all others', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(printable(text)).not.toMatch(UNPRINTABLE);
    }),
  );
  expect(printable('Ünïcode 例 🙂 = 1')).toBe('Ünïcode 例 🙂 = 1');
});

test('ends a reason with one full stop', () => {
  expect(['no blocks', 'Restate it.'].map(asSentence)).toEqual(['no blocks.', 'Restate it.']);
});
