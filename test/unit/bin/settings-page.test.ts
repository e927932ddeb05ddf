import { readFileSync } from 'node:fs';
import { settingsPage } from '#bin/settings-page.ts';

/* Proves what the list of settings says of a field. test/unit/bin/generate.slow.test.ts proves that the page in docs is up to date. */

const [begin, end] = ['<!-- settings: written by "npm run generate" -->', '<!-- /settings -->'];
const page = settingsPage(`before ${begin} old ${end} after`);
const lines = page.split('\n').filter((line) => line.startsWith('- `'));
const lineOf = (path: string) => lines.find((line) => line.startsWith(`- \`${path}\``));

test('replaces what is between its markers, and nothing else', () => {
  expect(page.startsWith(`before ${begin}\n\n- \``)).toBe(true);
  expect(page.endsWith(`\n\n${end} after`)).toBe(true);
  expect(page).not.toContain('old');
});

test.each([
  ['protect', '(default `false`)'],
  ['requestsPerSecond', '(default `100`; 1 to 2,000)'],
  ['apiLogRole', '(default `none`; `none`, `existing`, `create`)'],
  ['logRetentionDays', '(default `30`)'],
  ['corsOrigins', '(default `[]`)'],
  ['pages.publicDays', '(1 to 366)'],
  ['tiers.<name>.ratePerSecond', '(1 to 2,500)'],
])('says of %s its default and its limits: %s', (path, limits) => {
  expect(lineOf(path)?.startsWith(`- \`${path}\` ${limits}: `)).toBe(true);
});

test('says what a field is for, as its comment does, in one line', () => {
  expect(lineOf('env.account')).toBe(
    '- `env.account`: Account of the stage. Credentials and ARNs of any other are refused.',
  );
  expect(lineOf('requestsPerSecond')).toMatch(
    /: Requests a second of all keys together, .* \[Caps the bill\]\(cost\.md#what-caps-it\)\.$/,
  );
});

test('lists the fields of a chain once, and each field once', () => {
  expect(lineOf('chains.<NAME>.enabled')).toBeDefined();
  expect(lines.filter((line) => line.includes('ETHEREUM.'))).toEqual([]);
  expect(new Set(lines).size).toBe(lines.length);
});

test('its links lead to headings of the page, or to other pages', () => {
  const settings = readFileSync('docs/operate/settings.md', 'utf8');
  const anchors = [...page.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor);
  const headings = [...settings.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  expect(anchors.filter((anchor = '') => !headings.includes(anchor))).toEqual([]);
});
