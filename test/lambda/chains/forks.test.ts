import { chainNames } from '../../../lambda/chains/chains.ts';
import { announcedForks } from '../../../lambda/chains/forks.ts';
import { dayOf, startOfDay } from '../../../lambda/chains/utc-day.ts';

test.each(announcedForks)(
  '$chain $name names its effect and a public source',
  ({ chain, effect, source, date }) => {
    expect(chainNames).toContain(chain);
    expect(effect).toMatch(/^[A-Z].*\.$/);
    expect(new URL(source).protocol).toBe('https:');
    if (date) expect(dayOf(startOfDay(date))).toBe(date);
  },
);
