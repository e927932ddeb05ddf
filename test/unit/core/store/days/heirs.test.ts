import { type Finality, reportedBy } from '#core/figures/block.ts';
import { addDays } from '#core/figures/calendar.ts';
import { type DayLink, heirsOf } from '#core/store/days/heirs.ts';

const FIRST = '2026-11-01';
const PROOF: Finality = { kind: 'sync committee', slot: 1, root: '0x' };
const LATER: Finality = { kind: 'sync committee', slot: 2, root: '0x' };
const HOSTS = reportedBy(['a.example']);
const NOBODY = reportedBy([]);

/** Days in a row, each of which continues the one before. */
const days = (...finalities: readonly Finality[]): DayLink[] =>
  finalities.map((finality, index) => ({
    day: addDays(FIRST, index),
    revision: 1,
    lastHash: `${index}`,
    parentHash: `${index - 1}`,
    finality,
  }));
const inherited = (links: readonly DayLink[]) =>
  heirsOf(links).map(({ day, finality }) => [Number(day.slice(-2)) - 1, finality]);

test('a day inherits the proof of the next proven day that follows it by hash, the latest first', () => {
  expect(inherited(days(NOBODY, HOSTS, PROOF, HOSTS, LATER))).toEqual([
    [3, LATER],
    [1, PROOF],
    [0, PROOF],
  ]);
});

test('days without a host inherit the hosts of the day after them, and other days keep their own', () => {
  expect(inherited(days(NOBODY, HOSTS, reportedBy(['b.example'])))).toEqual([[0, HOSTS]]);
});
