import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { NO_TOTALS } from '#core/figures/totals.ts';
import {
  decodeStoredDay,
  figuresOf,
  parseStoredDay,
  toDayItem,
  UnknownItemError,
} from '#core/store/days/day-item.ts';
import { wrapNumber } from '#core/store/table/client.ts';
import { dayFigures, provenance } from '#test/support/generators/blocks/builders.ts';
import { archivedProvenance, archiveOrigin } from '#test/support/generators/rows/archived-days.ts';
import { restatedDay, storedDay } from '#test/support/generators/rows/stored-days.ts';

/* Proves which items are days: every attribute is known and has its form, because items also come from files that anyone can edit. */

/** Returns an item as the table gives it. */
const itemOf = (day: object) =>
  unmarshall(marshall(day, { removeUndefinedValues: true }), { wrapNumbers: wrapNumber });
const problemOf = (change: object) => {
  const parsed = parseStoredDay(itemOf({ ...storedDay(), ...change }));
  return 'problem' in parsed ? parsed.problem : undefined;
};

describe('parseStoredDay', () => {
  const price = {
    first: '1',
    last: '2.5',
    updates: 1,
    aggregator: `0x${'09af'.repeat(10)}`,
    evidence: 'proven' as const,
  };

  test.each([
    ['of any kind of evidence', storedDay({ evidence: 'checked' })],
    ['without blocks', storedDay({ first_block: undefined })],
    ['with a price', storedDay({ fees_usd: '1.5', price })],
    ['that was restated', restatedDay()],
    ['from an archive', storedDay({ evidence: 'archived', archived_from: archiveOrigin() })],
    ['whose end a beacon block proves', storedDay({ links_to: { slot: 7, root: '0x12' } })],
  ])('reads a day %s', (_, day) => {
    expect(parseStoredDay(itemOf(day))).toEqual({ day });
  });

  test.each<[string, object, string]>([
    ['a missing attribute', { last_block: undefined }, 'last_block is missing'],
    ['an unknown attribute', { colour: 'red' }, 'colour is unknown'],
    [
      'an unknown nested attribute',
      { last_block: { ...storedDay().last_block, size: 1 } },
      'last_block.size is unknown',
    ],
    [
      'an unknown attribute of an earlier revision',
      { restated: [{ ...restatedDay().restated?.[0], mood: 'bad' }] },
      'restated.0.mood is unknown',
    ],
    ['an escape in a name', { '\u001b]0;owned\u0007\u202e': 1 }, ' ]0;owned  is unknown'],
    ['an unknown chain', { chain: 'SOLANA' }, 'chain is missing'],
    ['a date that does not exist', { date: '2025-02-30' }, 'date is missing'],
    ['half a hash', { parent_hash: '0x12' }, 'parent_hash is missing'],
    [
      'a hash in capitals',
      { last_block: { number: 4, hash: `0x${'AB'.repeat(32)}` } },
      'last_block.hash is missing',
    ],
    ['revision 0', { revision: 0 }, 'revision is missing'],
    ['amendment 0', { amendments: 0 }, 'amendments is missing'],
    ['definition 0', { definition_version: 0 }, 'definition_version is missing'],
    ['a host that is not in a list', { endpoint_hosts: 'a.example' }, 'endpoint_hosts is missing'],
    ['dollars with a sign', { fees_usd: '-1.5' }, 'fees_usd is missing'],
    ['a price without updates', { price: { ...price, updates: 0 } }, 'price.updates is missing'],
    [
      'a price of half an aggregator',
      { price: { ...price, aggregator: '0x1f' } },
      'price.aggregator is missing',
    ],
  ])('refuses %s, and names it', (_, change, problem) => {
    expect(problemOf(change)?.replace(' or invalid', '')).toBe(problem);
  });

  test.each([
    ['software_version', '=HYPERLINK("http://evil.example","1.2.3")'],
    ['software_version', '@SUM(1)'],
    ['software_version', '1.2.3\t=1'],
    ['software_version', `1${'0'.repeat(64)}`],
    ['endpoint_hosts.0', '=1'],
    ['endpoint_hosts.0', '-1'],
    ['endpoint_hosts.0', 'a.example:8545,=1'],
    ['endpoint_hosts.0', '\u202ea.example'],
  ])('refuses what a spreadsheet may run, or a screen cannot show, as %s: %p', (field, value) => {
    const change = field === 'software_version' ? { software_version: value } : { endpoint_hosts: [value] };
    expect(problemOf(change)).toBe(`${field} is missing or invalid`);
  });

  test.each(['a.example', 'a.example:8545', 'quiknode.pro#2', '127.0.0.1:8545#3', '[::1]:8545', 'node_1'])(
    'accepts the host %s',
    (host) => {
      expect(problemOf({ endpoint_hosts: [host] })).toBeUndefined();
    },
  );

  test.each(['1', '1.2.3', `1${'0'.repeat(63)}`, '1.0.0-rc.1+build_7'])(
    'accepts the version %s',
    (version) => {
      expect(problemOf({ software_version: version })).toBeUndefined();
    },
  );
});

test('decodeStoredDay names the day and says which version to use', () => {
  const decode = () => decodeStoredDay(itemOf({ ...storedDay(), colour: 'red' }));
  expect(decode).toThrow(UnknownItemError);
  expect(decode).toThrow(
    'This version cannot read the item BSC 2025-11-18: colour is unknown. Use the version that wrote it.',
  );
});

describe('toDayItem', () => {
  const figures = dayFigures('2025-11-18', { totals: { ...NO_TOTALS, transactions: 4 } });

  test('keeps all figures', () => {
    const item = itemOf({ chain: 'BSC', ...toDayItem(figures, provenance(), 1) });
    const parsed = parseStoredDay(item);
    expect('day' in parsed && figuresOf(parsed.day)).toEqual(figures);
  });

  test('states versions and quantiles only with details, and quantiles only if a transaction pays', () => {
    const counts = new Map([[300, 4]]);
    const withFees = toDayItem(figures, provenance(), 2, { hours: [], feeCounts: counts });
    expect(withFees).toMatchObject({
      ...{ revision: 2, measures_version: 1, distribution_version: 1 },
      fee_quantiles: { p10: 300, median: 300, p90: 300 },
    });
    const withoutFees = toDayItem(figures, provenance(), 1, { hours: [], feeCounts: new Map() });
    expect([withoutFees.distribution_version, withoutFees.fee_quantiles]).toEqual([1, undefined]);
    expect(toDayItem(figures, provenance(), 1)).not.toHaveProperty('measures_version');
  });

  test('names the archive of an archived day, and no other', () => {
    expect(toDayItem(figures, archivedProvenance(), 1)).toMatchObject({
      ...{ evidence: 'archived', proven_blocks: 0, archived_from: archiveOrigin() },
    });
    expect(toDayItem(figures, provenance(), 1).archived_from).toBeUndefined();
  });
});
