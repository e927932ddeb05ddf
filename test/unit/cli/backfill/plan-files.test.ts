import { startLine } from '#cli/backfill/plan-files.ts';

const days = { startDate: '2026-11-01', endDate: '2026-11-02' };
const start = 'npx --no chain-insights backfill start --chain ETHEREUM';
const files = ' --from files --url ./files';
const dates = ' --start-date 2026-11-01 --end-date 2026-11-02';

test.each([
  [{}, start],
  [days, start + dates],
  [{ url: './files' }, start + files],
  [{ url: './files', ...days }, start + files + dates],
])('repeats the place and the days of %j, and only those that were given', (range, line) => {
  expect(startLine('', 'ETHEREUM', range)).toBe(line);
});
