import { dayProblems, detailProblems, validateRows } from '#cli/import/validate-rows.ts';
import type { DayDetails } from '#core/figures/day-figures.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import type { StoredDay } from '#core/store/days/day-item.ts';
import { blockAt } from '#test/support/generators/blocks/builders.ts';
import { archiveOrigin } from '#test/support/generators/rows/archived-days.ts';
import { withDetails } from '#test/support/generators/rows/details.ts';
import { fileOf } from '#test/support/generators/rows/filled-table.ts';
import { emptyAfter, restatedDay, storedDay, storedDays } from '#test/support/generators/rows/stored-days.ts';

const validate = (days: readonly StoredDay[], ...more: string[]) => {
  const text = [fileOf(days.map((day) => ({ day }))), ...more].join('');
  const { rows, others, problems } = validateRows([{ file: 'days.ndjson', text }], '2026-11-21');
  return {
    days: rows.map(({ line }) => line),
    others: others.map(({ line }) => line),
    problems: problems.map(({ line, problem }) => ({ line, problem })),
  };
};
const [one = storedDay(), two = storedDay(), three = storedDay()] = storedDays(3);
const TODAY = '2025-11-25';

test('accepts details that add up to their day, and refuses others', () => {
  const { day, details } = withDetails(storedDay());
  expect(detailProblems({ day, details })).toEqual([]);
  expect(detailProblems({ day: storedDay() })).toEqual([]);
  expect(detailProblems({ day })).toEqual(['details: missing, but the day has measures']);
  const problemOf = (given: Partial<DayDetails>, other: Partial<StoredDay> = {}) =>
    detailProblems({ day: { ...day, ...other }, details: { ...details, ...given } });
  expect(problemOf({}, { gas_used: 21_001n })).toEqual(['details: the hours do not add up to the day']);
  expect(problemOf({ hours: details.hours.with(0, details.hours[1] ?? NO_TOTALS) })).toHaveLength(1);
  expect(problemOf({ feeCounts: new Map([[300, 10]]) })).toEqual(['details: 10 fees of 9 transactions']);
  expect(problemOf({ feeCounts: new Map([[301, 9]]) })).toEqual(['fee_quantiles: not those of the details']);
});

test.each([
  ['of blocks', storedDay()],
  ['that was restated', restatedDay()],
  ['that was only checked', storedDay({ evidence: 'checked', proven_blocks: 3 })],
  ['without blocks', storedDay(emptyAfter(4))],
  ['of one block', storedDay({ block_count: 1, last_block: blockAt(1) })],
  ['that is yesterday', storedDay({ date: '2025-11-24' })],
  ['that is the first of its chain', storedDay({ date: '2020-08-29' })],
])('accepts a day %s', (_, day) => {
  expect(dayProblems(day, TODAY)).toEqual([]);
});

test.each([
  ['today', { date: TODAY }, 'date: not complete, today is 2025-11-25 (UTC)'],
  ['a day before its chain', { date: '2020-08-28' }, 'date: BSC begins on 2020-08-29'],
  ['a block count that is off by one', { block_count: 5 }, 'block_count: 5, but 1 to 4 are 4 blocks'],
  ['a first block after the last', { first_block: blockAt(5) }, 'first_block: 5 is after last_block 4'],
  [
    'one block with two hashes',
    { block_count: 1, first_block: { ...blockAt(4), hash: blockAt(1).hash } },
    'first_block: 4 is also last_block, with another hash',
  ],
  [
    'more protocol transactions than transactions',
    { protocol_transaction_count: 10 },
    'protocol_transaction_count: 10 exceeds transaction_count 9',
  ],
  [
    'blocks without a first block',
    { ...emptyAfter(4), block_count: 4 },
    'block_count: 4, but no first_block',
  ],
  [
    'fees without a first block',
    { ...emptyAfter(4), l1_data_fees: 3n },
    'l1_data_fees: 3, but no first_block',
  ],
  [
    'a proven day with a block that is not proven',
    { proven_blocks: 3 },
    'evidence: proven, but only 3 of 4 blocks are',
  ],
  ['more proven blocks than blocks', { proven_blocks: 5 }, 'proven_blocks: 5 exceeds block_count 4'],
  [
    'a newer definition',
    { definition_version: 2 },
    'definition_version: 2 is newer than 1, the newest that this version supports',
  ],
])('refuses %s', (_, given, problem) => {
  expect(dayProblems(storedDay(given), TODAY)).toEqual([problem]);
});

test('keeps valid rows, and reports the others and every copy of a duplicate day', () => {
  const { days, problems } = validate([one, two, one, { ...three, block_count: 5, proven_blocks: 5 }, one]);
  expect(days).toEqual([2]);
  expect(problems).toEqual([
    { line: 1, problem: 'BSC 2025-11-18 is also in line 3' },
    { line: 3, problem: 'BSC 2025-11-18 is also in line 1' },
    { line: 4, problem: 'block_count: 5, but 9 to 12 are 4 blocks' },
    { line: 5, problem: 'BSC 2025-11-18 is also in line 1' },
  ]);
});

test('joins a day with its details, wherever they are, and tells other items of an export apart', async () => {
  const { day, details } = withDetails(storedDay());
  const [first = '', second = ''] = fileOf([{ day, details }]).split(/(?<=\n)/);
  for (const text of [first + second, second + first])
    expect(validateRows([{ file: 'a', text }], TODAY).rows).toMatchObject([{ day, details }]);
  // A proof of an archived day writes its details first.
  const { measures_version: _, fee_quantiles: __, ...plain } = day;
  const archived = {
    ...plain,
    evidence: 'archived',
    archived_from: archiveOrigin(),
    proven_blocks: 0,
  } as const;
  const text = fileOf([{ day: archived, details }]);
  expect(validateRows([{ file: 'a', text }], TODAY)).toMatchObject({
    rows: [{ day: archived }],
    problems: [],
  });
  const broken = first.replace('"hours"', '"minutes"') + second;
  expect(validateRows([{ file: 'a', text: broken }], TODAY).problems).toEqual([
    { file: 'a', line: 2, problem: expect.stringMatching(/^details: hours is missing or invalid, minutes/) },
  ]);
  const other = '{"Item":{"chain":{"S":"BSC"},"date":{"S":"coverage"}}}\n';
  const hostile = '{"Item":{"chain":{"S":"BSC"},"date":{"M":{"toString":{"N":"1"}}}}}\n';
  expect(validate([one], other, hostile)).toMatchObject({ days: [1], others: [2], problems: [{ line: 3 }] });
});

test('stops at a file of another kind after 30,000 invalid rows', () => {
  expect(() => validate([], 'not a day\n'.repeat(30_001))).toThrow(
    'More than 30,000 rows are invalid. Expected a file that export wrote.',
  );
});
