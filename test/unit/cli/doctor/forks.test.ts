import { announcedForks, forksAhead } from '#cli/doctor/forks.ts';
import { chainNames } from '#core/chains/chains.ts';
import { dayOf, startOfDay } from '#core/figures/calendar.ts';

test.each(announcedForks)(
  '$chain $name names its effect and a public source',
  ({ chain, effect, source, date }) => {
    expect(chainNames).toContain(chain);
    expect(effect).toMatch(/^[A-Z].*\.$/);
    expect(new URL(source).protocol).toBe('https:');
    if (date) expect(dayOf(startOfDay(date))).toBe(date);
  },
);

test('a fork is ahead until its day has passed, and always while it has no date', () => {
  const names = (chain: 'BSC' | 'ETHEREUM', today: string) =>
    forksAhead(chain, today).map(({ name }) => name);
  expect(names('BSC', '2026-12-08')).toContain('Jenner');
  expect(names('BSC', '2026-12-09')).not.toContain('Jenner');
  expect(names('ETHEREUM', '2030-01-01')).toContain('Glamsterdam');
});
