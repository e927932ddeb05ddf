import { isEvidencePolicy, policyAt } from '#core/figures/day-figures.ts';

test.each(['proven', 'checked', 'checked from 0', 'checked from 25000000'])('%s is a policy', (policy) => {
  expect(isEvidencePolicy(policy)).toBe(true);
});

test.each([
  '',
  'none',
  'checked from',
  'checked from -1',
  'checked from 1.5',
  'checked from 1 ',
  5,
  undefined,
  null,
])('%p is no policy', (value) => {
  expect(isEvidencePolicy(value)).toBe(false);
});

test('a policy with a block asks for proofs before it', () => {
  const policy = 'checked from 100';
  expect([0, 99, 100, 1_000].map((number) => policyAt(policy, number))).toEqual([
    'proven',
    'proven',
    'stated',
    'stated',
  ]);
  expect([policyAt('proven', 100), policyAt('checked', 1)]).toEqual(['proven', 'checked']);
});
