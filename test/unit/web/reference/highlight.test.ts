import fc from 'fast-check';
import { highlight } from '#web/reference/highlight.ts';

test('the pieces of a text are the text', () => {
  fc.assert(
    fc.property(fc.string(), (text) =>
      expect(
        highlight(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text),
    ),
  );
});

test('tells comments, strings and keywords apart', () => {
  expect(highlight('# note\ncurl -s "a b"')).toEqual([
    { kind: 'comment', text: '# note' },
    { kind: 'plain', text: '\n' },
    { kind: 'keyword', text: 'curl' },
    { kind: 'plain', text: ' -s ' },
    { kind: 'string', text: '"a b"' },
  ]);
});

test('an address is no comment', () => {
  expect(highlight('node https://example.com').every(({ kind }) => kind === 'plain')).toBe(true);
});
