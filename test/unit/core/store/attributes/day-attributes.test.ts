import * as z from 'zod/mini';
import { type Finality, reportedBy } from '#core/figures/block.ts';
import {
  dayShape,
  finalityOf,
  finalityShape,
  toFinalityAttributes,
} from '#core/store/attributes/day-attributes.ts';
import { blockAt, hashOf } from '#test/support/generators/blocks/builders.ts';
import { archiveOrigin } from '#test/support/generators/rows/archived-days.ts';

/* Proves that the reason why a day is final is stored without loss, and which reasons and origins are refused. */

const block = { number: 7n, hash: blockAt(7).hash };

describe('finalityOf', () => {
  test.each<Finality>([
    reportedBy(['a.example', 'b.example']),
    { kind: 'sync committee', slot: 7, root: hashOf('root') },
    { kind: 'fast finality', source: blockAt(7), target: blockAt(8) },
  ])('returns $kind as it was stored', (finality) => {
    const attributes = toFinalityAttributes(finality);
    expect(finalityOf(attributes)).toEqual(finality);
    // Hosts are named only where nothing else proves the day final.
    expect(attributes.confirmed_by).toEqual(finality.kind === 'reported' ? finality.hosts : []);
  });
});

const finality = z.object(finalityShape);

test.each([
  ['a slot without a root', { slot: 7n }],
  ['a source without its target', { source: block }],
  ['a slot with a source', { slot: 7n, root: '0x12', source: block }],
  ['nothing', {}],
])('refuses evidence of %s', (_, links_to) => {
  expect(z.safeParse(finality, { confirmed_by: [], links_to }).success).toBe(false);
});

const origin = z.object({ archived_from: dayShape.archived_from });

/** An origin as the table gives it. */
const stored = (change: object = {}) => {
  const { audit, ...others } = archiveOrigin();
  return { ...others, audit: { ...audit, ranges_compared: 300n, ranges: 60_000n }, ...change };
};

test('reads an archive, whose hashes may have any hex digit', () => {
  const hash = '0123456789abcdef'.repeat(4);
  const hashes = { file_sha256: hash, query_sha256: hash };
  for (const change of [{}, hashes])
    expect(z.parse(origin, { archived_from: stored(change) })).toEqual({
      archived_from: archiveOrigin(change),
    });
});

test.each([
  ['half a hash', { file_sha256: 'ab'.repeat(16) }],
  ['a hash with a prefix', { query_sha256: `0x${'ab'.repeat(32)}` }],
  ['a hash in capitals', { query_sha256: 'AB'.repeat(32) }],
  ['no audit', { audit: undefined }],
  ['an unknown attribute', { colour: 'red' }],
])('refuses an archive with %s', (_, change) => {
  expect(z.safeParse(origin, { archived_from: stored(change) }).success).toBe(false);
});
