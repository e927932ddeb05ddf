import { readFileSync } from 'node:fs';
import { announcedForks, forkStatuses, forksAhead } from '#cli/doctor/forks.ts';
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

test('docs/forks.md has the same table', () => {
  const table = readFileSync('docs/forks.md', 'utf8').replaceAll(/ +/g, ' ');
  for (const { chain, name, date, effect, status, source } of announcedForks) {
    const cells = [chain, `[${name}](${source})`, date ?? 'not set', effect, forkStatuses[status]];
    expect(table).toContain(`| ${cells.join(' | ')} |`);
  }
  expect(table.match(/^\| [A-Z]{3,} \|/gm)).toHaveLength(announcedForks.length);
});

test('a fork is ahead until its day has passed, and always while it has no date', () => {
  const names = (chain: 'BSC' | 'ETHEREUM', today: string) =>
    forksAhead(chain, today).map(({ name }) => name);
  expect(names('BSC', '2026-12-08')).toContain('Jenner');
  expect(names('BSC', '2026-12-09')).not.toContain('Jenner');
  expect(names('ETHEREUM', '2030-01-01')).toContain('Glamsterdam');
});
