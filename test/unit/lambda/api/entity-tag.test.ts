import type { QueryContext } from '#lambda/api/days-response.ts';
import { entityTag, matchesIfNoneMatch } from '#lambda/api/entity-tag.ts';
import { JSON_TYPE } from '#lambda/api/formats.ts';

describe('entityTag', () => {
  const now = Date.parse('2026-11-21T00:05:00Z');
  const day = '2026-11-20';
  const coverage = { days: '', from_day: day, through_day: day, changes_since: 0, waiting_days: 0 };
  const committedAt = (at: number, revision = 7) => ({
    ...coverage,
    ...{ revision, changes: [{ day, revision, at }] },
  });
  const tagOf = (
    revisions: readonly (ReturnType<typeof committedAt> | undefined)[],
    query: Partial<QueryContext['query']> = {},
  ) => {
    const chains = (['BSC', 'BASE'] as const)
      .slice(0, revisions.length)
      .map((chain, index) => ({ chain, coverage: revisions[index] }));
    const range = { start_date: day, end_date: day };
    const asked = { chains: ['BSC'], interval: 'day', isRelative: false, ...range, ...query } as const;
    return entityTag({ hasFees: false, query: asked, mediaType: JSON_TYPE, chains, yesterday: day }, now);
  };
  const settled = committedAt(now - 3_000);

  test('is undefined for 3 seconds after a commit of any of the chains, since a read may miss a part of it', () => {
    const unsettled = committedAt(now - 2_999);
    expect([tagOf([settled]), tagOf([unsettled]), tagOf([settled, unsettled])]).toEqual([
      expect.any(String),
      undefined,
      undefined,
    ]);
  });

  test('names the chains with their revisions, which are 0 before a day is final', () => {
    const text = `;${day};${day};${day};application/json;`;
    expect(tagOf([settled, undefined])).toMatch(`"BSC+BASE${text}7+0;`);
    expect(tagOf([undefined])).toMatch(`"BSC${text}0;`);
  });

  test('has no comma, which separates the tags of a header, and none of the defaults', () => {
    const fields = tagOf([settled], { fields: 'date,fees', interval: 'week', evidence: 'proven' });
    expect(fields).toMatch(/;week;proven;date\+fees"$/);
    expect(tagOf([settled])).not.toMatch(/day|undefined/);
  });
});

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
