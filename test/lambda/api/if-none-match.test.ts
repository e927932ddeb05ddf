import { isKnown } from '../../../lambda/api/if-none-match.ts';

test.each([
  ['the tag', '"tag"'],
  ['the tag among others', '"a", "tag" , "b"'],
  ['the tag made weak by a gateway', 'W/"tag"'],
  ['anything', '*'],
])('%s is what the client has', (_, header) => {
  expect(isKnown('"tag"', header)).toBe(true);
});

test.each([undefined, '', '"another"', '"tag"s', 'tag'])('%j does not name it', (header) => {
  expect(isKnown('"tag"', header)).toBe(false);
});
