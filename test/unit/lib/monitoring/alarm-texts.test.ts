import { readFileSync } from 'node:fs';
import { chainNames } from '#core/chains/chains.ts';
import { SOFTWARE_VERSION } from '#core/software-version.ts';
import { type AlarmName, alarms, alarmTexts } from '#lib/monitoring/alarm-texts.ts';

/* Proves that the text of each alarm says what is wrong and what to type first, and leads to a section of the runbook that exists. */

const kinds = Object.keys(alarms) as AlarmName[];
const described = { stackName: 'ChainInsights-prod', probeCommand: 'curl https://example.com' };
const textOf = (name: AlarmName, options: Parameters<typeof alarmTexts>[2] = {}, repository?: string) =>
  alarmTexts({ ...described, repository }, name, options);

test.each(kinds)('%s says what is wrong, and names its section of the runbook', (name) => {
  const { alarmDescription } = textOf(name);
  expect(alarmDescription.startsWith(alarms[name].when)).toBe(true);
  expect(alarmDescription).toMatch(
    new RegExp(
      `section "${name}" of the page Runbook, docs/operate/runbook.md of version ${SOFTWARE_VERSION}.$`,
    ),
  );
  expect(readFileSync('docs/operate/runbook.md', 'utf8').split('\n')).toContain(`## ${name}`);
});

test('the longest text is within the limit of CloudWatch', () => {
  const longest = [...chainNames].toSorted((a, b) => b.length - a.length)[0];
  const repository = 'https://git.example/a-long-name-of-a-team/chain-insights';
  for (const name of kinds)
    expect(textOf(name, { subject: longest }, repository).alarmDescription.length).toBeLessThanOrEqual(1_024);
});

test.each<[AlarmName, Parameters<typeof alarmTexts>[2], string, string]>([
  ['chain', { subject: 'BASE' }, 'page-chain-BASE', 'status --stage prod --chain BASE More:'],
  ['conflict', {}, 'page-conflict', 'First: npx --no chain-insights status --stage prod More:'],
  ['probe-failing', { isPart: true }, 'part-probe-failing', 'First: curl https://example.com More:'],
  ['run-lost', {}, 'notice-run-lost', 'Read the message in the queue of lost runs. More:'],
])('%s %j is named %s and says what to do first', (name, options, alarmName, action) => {
  expect(textOf(name, options).alarmName).toBe(`ChainInsights-prod-${alarmName}`);
  expect(textOf(name, options).alarmDescription).toContain(action);
});

test('the text leads to the section in the repository, where it is published, at the tag of the release', () => {
  expect(textOf('conflict', {}, 'https://git.example/team/ci').alarmDescription).toMatch(
    /More: https:\/\/git\.example\/team\/ci\/blob\/v\d+\.\d+\.\d+\/docs\/operate\/runbook\.md#conflict$/,
  );
});

test('the text begins with the chain that it is about', () => {
  expect(textOf('chain', { subject: 'BASE' }).alarmDescription).toMatch(/^BASE: No new days of this chain/);
});
