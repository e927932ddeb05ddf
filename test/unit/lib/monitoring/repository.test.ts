import { alarmTexts } from '#lib/monitoring/alarm-texts.ts';
import { repositoryOf } from '#lib/monitoring/repository.ts';

test.each([
  [{ repository: 'https://git.example/team/chain-insights' }],
  [{ repository: { type: 'git', url: 'git+https://git.example/team/chain-insights.git' } }],
])('is the web address of %j', (packageJson) => {
  expect(repositoryOf(packageJson)).toBe('https://git.example/team/chain-insights');
});

test.each([
  [{}],
  [{ repository: 'github:team/chain-insights' }],
  [{ repository: { url: 'ssh://git@git.example/a.git' } }],
])('is not known from %j', (packageJson) => {
  expect(repositoryOf(packageJson)).toBeUndefined();
});

test.each([
  [
    'https://git.example/team/ci',
    /More: https:\/\/git\.example\/team\/ci\/blob\/v\d+\.\d+\.\d+\/docs\/operate\/runbook\.md#conflict$/,
  ],
  [undefined, /More: section "conflict" of the page Runbook, docs\/operate\/runbook\.md of version \d/],
])('the text of an alarm leads to its section, with the repository %s', (repository, text) => {
  const described = { stackName: 'ChainInsights-prod', probeCommand: 'curl', repository };
  expect(alarmTexts(described, 'conflict', {}).alarmDescription).toMatch(text);
});
