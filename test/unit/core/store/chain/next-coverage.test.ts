import { addDays } from '#core/figures/calendar.ts';
import { withChanges } from '#core/store/chain/next-coverage.ts';

const FROM = '2026-11-17';

describe('withChanges', () => {
  const none = { revision: 0, changes: [], changes_since: 0 };

  test('lists each changed day with its revision', () => {
    const first = withChanges(none, [FROM], 7);
    expect(first).toEqual({ revision: 1, changes: [{ day: FROM, revision: 1, at: 7 }], changes_since: 0 });
    expect(withChanges(first)).toEqual({ ...first, revision: 2 });
  });

  test('drops the oldest changes, and says since when the list is complete', () => {
    const all = Array.from({ length: 60 }, (_, index) => addDays(FROM, index));
    const last = all.reduce(
      (changes, day) => withChanges(changes, [day], 0),
      none as ReturnType<typeof withChanges>,
    );
    expect(last.changes).toHaveLength(48);
    expect(last.changes_since).toBe(60 - 48);
    expect(last.changes.every(({ revision }) => revision > last.changes_since)).toBe(true);
  });
});
