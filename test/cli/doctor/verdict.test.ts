import type { Examination, Problem } from '../../../cli/doctor/examination.ts';
import { verdictOf, withoutEndpoints } from '../../../cli/doctor/verdict.ts';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { startOfDay } from '../../../lambda/chains/utc-day.ts';

const target = {
  ...{ name: 'BASE' as const, chain: chainOf('BASE'), from: '2026-11-01' },
  openEndpoints: async () => [],
  settings: { from: 'the start date', confirmations: 'the confirmations' },
};
const now = startOfDay('2026-11-11');

const examined = (given: Partial<Examination> = {}): Examination => ({
  endpoint: 'a.example',
  has_receipts: true,
  history: { block: 0, since: '2023-06-15' },
  seconds_per_block: 2,
  limits: { calls_at_once: 8, calls_per_second: 11 },
  problems: [],
  ...given,
});
const failed = (problem: Partial<Problem> = {}): Examination => ({
  endpoint: 'b.example',
  problems: [{ check: 'chain ID', kind: 'not reached', reason: 'b.example: not reached', ...problem }],
});
const prunedSince = (since: string) =>
  examined({ history: { block: 9, since, ends_because: 'a.example: pruned' } });
const verdict = (...all: Examination[]) => verdictOf(target, all, now);

test('a chain works when an endpoint has all since the start date and is fast enough', () => {
  // Ten days of 43,200 blocks, two calls each, at the 10 calls a second that new blocks leave over.
  expect(verdict(examined())).toEqual({
    ...{ chain: 'BASE', start_date: '2026-11-01', works: true, since: '2023-06-15', problems: [] },
    summary:
      'works from 2026-11-01 on (1 calls/s needed, 11 measured; all days since 2026-11-01 take 1 d at least)',
    pace: {
      ...{ seconds_per_block: 2, calls_per_second_needed: 1, calls_per_second_measured: 11 },
      catches_up_in: 86_400,
    },
  });
});

test('one that has less history works from a later day on, and says why and what to do', () => {
  expect(verdict(prunedSince('2026-11-05'))).toMatchObject({
    works: false,
    since: '2026-11-05',
    summary:
      'works from 2026-11-05 on, and not from 2026-11-01 (a.example: pruned): set the start date to that day or a later one, or add an endpoint with more history',
  });
  expect(verdict(prunedSince('2026-11-01')).works).toBe(true);
});

test('what one endpoint lacks another may have', () => {
  expect(verdict(prunedSince('2026-11-05'), failed(), examined())).toMatchObject({
    works: true,
    since: '2023-06-15',
    problems: ['b.example: not reached. Check its URL, and whether it can be reached from here.'],
  });
});

test('an endpoint that lacks receipts gives no history, and where none is usable, the chain does not work', () => {
  const { has_receipts: _, ...without } = examined();
  expect(verdict(without, failed())).toMatchObject({
    works: false,
    summary: 'does not work: no endpoint can be used',
  });
});

test('one that is not fast enough for new blocks does not keep up, whatever a later one could do', () => {
  const slow = examined({ limits: { calls_at_once: 1, calls_per_second: 0.9 } });
  expect(verdict(slow, examined())).toMatchObject({
    works: false,
    summary:
      'does not keep up at a.example (1 calls/s needed, 0.9 measured): put a faster one first, or take a plan with more calls',
  });
  expect(verdict(slow).pace).not.toHaveProperty('catches_up_in');
});

test('history that could not be looked at is not taken for whole', () => {
  const { history: _, ...unknown } = examined();
  expect(
    verdict({ ...unknown, problems: failed({ check: 'history', kind: 'HTTP error' }).problems }),
  ).toMatchObject({
    works: false,
    problems: ['b.example: not reached'],
  });
});

test('where more calls were refused is told beside the verdict', () => {
  const limits = { calls_at_once: 4, calls_per_second: 11 };
  const refused = { calls_at_once: 8, reason: 'a.example: HTTP status 429' };
  expect(verdict(examined({ limits: { ...limits, refused } }))).toMatchObject({
    works: true,
    problems: ['a.example: HTTP status 429, with 8 calls at once'],
  });
});

test.each<[Partial<Problem>, RegExp]>([
  [{ kind: 'wrong chain' }, /give the URL of a node of BASE/],
  [{ kind: 'timeout' }, /whether it can be reached/],
  [{ kind: 'HTTP error' }, /the key in it/],
  [{ kind: 'rate limit' }, /larger plan/],
  [{ kind: 'bad answer' }, /URL of a JSON-RPC endpoint/],
  [{ check: 'finalized block', kind: 'RPC error' }, /set the confirmations/],
  [{ check: 'finalized block', kind: 'old' }, /caught up/],
  [{ check: 'receipts', kind: 'RPC error' }, /eth_getBlockReceipts/],
  [{ check: 'limits', kind: 'rate limit' }, /larger plan/],
])('%j comes with what to do', (problem, advice) => {
  expect(verdict(failed(problem)).problems[0]).toMatch(advice);
});

test('a chain whose endpoints cannot be read does not work, for that reason', () => {
  expect(withoutEndpoints(target, 'The parameter /x is empty')).toMatchObject({
    works: false,
    problems: ['The parameter /x is empty'],
  });
});
