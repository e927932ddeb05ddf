import {
  cutReason,
  isAsStrong,
  isEvidencePolicy,
  policyAt,
  weakestEvidence,
} from '#core/figures/day-figures.ts';

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

test.each([
  ['proven', 0, 'proven'],
  ['checked', 5, 'checked'],
  ['checked from 25', 24, 'proven'],
  ['checked from 25', 25, 'stated'],
] as const)('by the policy %s, block %i must be %s', (policy, number, evidence) => {
  expect(policyAt(policy, number)).toBe(evidence);
});

test('evidence is as strong as itself and as all that is weaker', () => {
  expect(weakestEvidence(['proven', 'archived', 'checked'])).toBe('archived');
  expect(weakestEvidence(['proven', 'checked'])).toBe('checked');
  expect(weakestEvidence([])).toBe('proven');
  expect(isAsStrong('checked', 'checked')).toBe(true);
  expect(isAsStrong('proven', 'checked')).toBe(true);
  expect(isAsStrong('archived', 'checked')).toBe(false);
  expect(isAsStrong('archived')).toBe(true);
});

test('a reason is cut after 500 characters, and stays valid text', () => {
  expect(cutReason('x'.repeat(501))).toBe('x'.repeat(500));
  expect(cutReason(`${'x'.repeat(499)}\u{1f600}`)).toBe(`${'x'.repeat(499)}\ufffd`);
});
