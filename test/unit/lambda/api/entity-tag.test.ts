import { matchesIfNoneMatch } from '#lambda/api/entity-tag.ts';

test.each([
  ['the tag alone', '"tag"'],
  ['a list with the tag', '"a", "tag" , "b"'],
  ['the tag weakened by a gateway', 'W/"tag"'],
  ['the wildcard', '*'],
])('%s matches', (_, header) => {
  expect(matchesIfNoneMatch('"tag"', header)).toBe(true);
});

test.each([undefined, '', '"another"', '"tag"s', 'tag'])('%j does not match', (header) => {
  expect(matchesIfNoneMatch('"tag"', header)).toBe(false);
});
