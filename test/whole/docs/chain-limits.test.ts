import { readFileSync } from 'node:fs';
import { chainNames } from '#core/chains/chains.ts';
import type { Stage } from '#lib/chain-insights-stack.ts';
import { templateOf } from '#test/support/aws/stack.ts';

/* The number of chains in docs/chains.md, extrapolated from templates with few. */

const [, chains = 0, parameters = 0] =
  /holds (\d+) chains.* (\d+) may have nodes/.exec(readFileSync('docs/chains.md', 'utf8'))?.map(Number) ?? [];

/** Synthesizes a protected stage, with the longest name of a region, some chains, and nodes of its own for some of these. */
function templateWith(enabled: number, own: number) {
  const env = { account: '111122223333', region: 'ap-northeast-1' };
  const settings = chainNames.map((name, index) => [
    name,
    {
      enabled: index < enabled,
      ...(index < own && { endpointsParameter: `/chain-insights/${index}`.padEnd(40, '-') }),
    },
  ]);
  const stage: Stage = { protect: true, probe: true, apiLogRole: 'existing', env };
  return templateOf({ ...stage, chains: Object.fromEntries(settings) }).toJSON();
}

test('a stack holds as many chains as docs/chains.md says', () => {
  const resources = (enabled: number) => Object.keys(templateWith(enabled, 0).Resources).length;
  const each = resources(2) - resources(1);
  expect(each).toBeGreaterThan(0);
  expect(1 + Math.floor((500 - resources(1)) / each)).toBeGreaterThanOrEqual(chains);
  expect(chains).toBeGreaterThan(chainNames.length);
});

test('the policy of the ingest has room for as many parameters as docs/chains.md says', () => {
  // IAM counts no white space.
  const length = (own: number) => {
    const { Resources } = templateWith(6, own);
    const policies = Object.entries<{ Properties: object }>(Resources).filter(([id]) =>
      id.startsWith('IngestRoleDefaultPolicy'),
    );
    expect(policies).toHaveLength(1);
    return JSON.stringify(policies[0]?.[1].Properties).length;
  };
  const each = length(3) - length(2);
  expect(each).toBeGreaterThan(0);
  expect(2 + Math.floor((10_240 - length(2)) / each)).toBeGreaterThanOrEqual(parameters);
  expect(parameters).toBeGreaterThan(chainNames.length);
});
