import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/* Outside a clone, `npx chain-insights` runs whatever a registry has under that name. `npx --no` never asks a registry. */

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
const textOf = (file: string) => readFileSync(file, 'utf8');

/** Pages that warn of the command. */
const WARNINGS = ['docs/clients.md', 'docs/operate/security.md', 'test/whole/docs/commands.test.ts'];

test('no text tells anyone to run a command that a registry could answer', () => {
  const found = files.filter(
    (file) =>
      !WARNINGS.includes(file) &&
      !file.startsWith('CHANGELOG') &&
      /npx(?! --no)(?: -\S+)* chain-insights\b/.test(textOf(file)),
  );
  expect(found).toEqual([]);
});

test('what callers see names no command of a clone', () => {
  const shown = files.filter((file) => /^(web|lambda|clients|openapi)\/|^docs\/openapi\.json$/.test(file));
  const found = shown.filter((file) =>
    /\bnpx\b.*chain-insights|(?:npm|pip) install chain-insights/.test(textOf(file)),
  );
  // Operators read the log of the probe, and the email.
  const forOperators = ['lambda/daily-findings.ts', 'lambda/daily-mail.ts', 'lambda/probe.ts'];
  expect(found.filter((file) => !forOperators.includes(file))).toEqual([]);
});
