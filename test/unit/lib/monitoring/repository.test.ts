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
