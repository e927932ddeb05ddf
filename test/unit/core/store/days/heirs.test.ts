import { addDays } from '#core/figures/calendar.ts';
import type { StoredEvidence } from '#core/store/days/days.ts';
import { heirsOf } from '#core/store/days/heirs.ts';

type Reason = Pick<StoredEvidence, 'confirmed_by' | 'links_to'>;

const FIRST = '2026-11-01';
const PROOF: Reason = { confirmed_by: [], links_to: { slot: 1, root: '0x' } };
const LATER: Reason = { confirmed_by: [], links_to: { slot: 2, root: '0x' } };
const HOSTS: Reason = { confirmed_by: ['a.example'] };
const NOBODY: Reason = { confirmed_by: [] };

/** Days in a row, each of which continues the one before. */
const days = (...reasons: readonly Reason[]) =>
  reasons.map(
    (reason, index): StoredEvidence => ({
      date: addDays(FIRST, index),
      evidence: 'proven',
      revision: 1,
      parent_hash: `${index - 1}`,
      last_block: { number: index, hash: `${index}` },
      ...reason,
    }),
  );
const inherited = (stored: readonly StoredEvidence[]) =>
  heirsOf(stored).map(({ date, confirmed_by, links_to }) => [
    Number(date.slice(-2)) - 1,
    { confirmed_by, links_to },
  ]);

test('a day inherits the proof of the next proven day that follows it by hash, the latest first', () => {
  expect(inherited(days(NOBODY, HOSTS, PROOF, HOSTS, LATER))).toEqual([
    [3, LATER],
    [1, PROOF],
    [0, PROOF],
  ]);
});

test('days without a host inherit the hosts of the day after them, and other days keep their own', () => {
  expect(inherited(days(NOBODY, HOSTS, { confirmed_by: ['b.example'] }))).toEqual([[0, HOSTS]]);
});
