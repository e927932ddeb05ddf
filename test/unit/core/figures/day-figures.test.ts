import {
  cutReason,
  DEFINITION_VERSION,
  HOST_PATTERN,
  isAsStrong,
  isEvidencePolicy,
  policyAt,
  weakestEvidence,
} from '#core/figures/day-figures.ts';

test.each(['proven', 'checked', 'checked from 0', 'checked from 999999999999'])(
  '%s is a policy',
  (policy) => {
    expect(isEvidencePolicy(policy)).toBe(true);
  },
);

test.each([
  '',
  'none',
  'checked from',
  'checked from -1',
  'checked from 1.5',
  'checked from 1 ',
  'checked from 1000000000000',
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

test.each([
  ['a name', 'a.example', true],
  ['one letter', 'a', true],
  ['one digit of a port', 'a:8', true],
  ['a port of five digits', 'a.example:65535', true],
  ['a port of six digits', 'a.example:655350', false],
  ['an address of IPv6', '[2001:db8::1]:8545', true],
  ['the number of an endpoint', 'a.example#12', true],
  ['300 characters', 'a'.repeat(300), true],
  ['301 characters', 'a'.repeat(301), false],
  ['the sign of a formula', '=1+1', false],
  ['nothing', '', false],
])('a host may have %s: %s, %p', (_, host, isValid) => {
  expect(HOST_PATTERN.test(host)).toBe(isValid);
});

test('what counts as a transaction and a fee has not changed since version 1 of the definitions', () => {
  expect(DEFINITION_VERSION).toBe(1);
});
