import { isEvidencePolicy } from '#core/figures/day-figures.ts';

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
])('%p is not a policy', (value) => {
  expect(isEvidencePolicy(value)).toBe(false);
});
