import { problemsOf } from '../../../cli/rows/check-day.ts';
import { blockAt, emptyAfter, restatedDay, storedDay } from '../../support/stored-days.ts';

const TODAY = '2025-11-25';

test.each([
  ['of blocks', storedDay()],
  ['that was restated', restatedDay()],
  ['without blocks', storedDay(emptyAfter(4))],
  ['of one block', storedDay({ block_count: 1, last_block: blockAt(1) })],
  ['that is the last before today', storedDay({ date: '2025-11-24' })],
  ['that is the first of its chain', storedDay({ date: '2020-08-29' })],
])('a day %s is well', (_, day) => {
  expect(problemsOf(day, TODAY)).toEqual([]);
});

test.each([
  ['is today', storedDay({ date: TODAY }), 'date: this day is not over, for today is 2025-11-25 (UTC)'],
  ['lies before its chain', storedDay({ date: '2020-08-28' }), 'date: BSC begins on 2020-08-29'],
  [
    'has a block less than it lists',
    storedDay({ block_count: 5 }),
    'block_count: 5, but from 1 to 4 there are 4',
  ],
  [
    'ends before it begins',
    storedDay({ first_block: blockAt(5) }),
    'first_block: 5 comes after the last one, 4',
  ],
  [
    'is one block with two hashes',
    storedDay({ block_count: 1, first_block: { ...blockAt(4), hash: blockAt(1).hash } }),
    'first_block: 4 is the last one too, with another hash',
  ],
  [
    'has more of the protocol than there are',
    storedDay({ protocol_transaction_count: 10 }),
    'protocol_transaction_count: 10 of 9 transactions',
  ],
  [
    'has blocks but no first',
    storedDay({ ...emptyAfter(4), block_count: 4 }),
    'block_count: 4 on a day that has no first block',
  ],
  [
    'has fees but no blocks',
    storedDay({ ...emptyAfter(4), l1_data_fees: 3n }),
    'l1_data_fees: 3 on a day that has no first block',
  ],
  [
    'has a definition to come',
    storedDay({ definition_version: 2 }),
    'definition_version: 2 is newer than this version of the code, which knows 1',
  ],
])('a day that %s is not', (_, day, problem) => {
  expect(problemsOf(day, TODAY)).toEqual([problem]);
});
