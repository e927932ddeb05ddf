import { attestationIn, namedValidators } from '#core/finality/fast-finality/extra-data.ts';
import { readFixture } from '#test/support/generators/files/finality-fixtures.ts';

const { extraData, expected } = readFixture('bsc-fermi-76371000-extra');
const form = { isEpochBlock: true, hasTurnLength: true };

test('reads the validators and the votes of an epoch block', () => {
  const votes = attestationIn(extraData, form);
  expect(namedValidators(extraData, form)).toMatchObject({ turnLength: expected.turn_length });
  expect(namedValidators(extraData, form)?.voteKeys).toHaveLength(expected.validators);
  const { attestation } = expected;
  expect([votes?.source.number, votes?.target.number]).toEqual([attestation.source, attestation.target]);
  expect(votes?.votes.toString(2).replaceAll('0', '')).toHaveLength(attestation.votes);
});

test.each([
  ['nothing', '0x'],
  ['vanity and seal alone', `0x${'00'.repeat(97)}`],
  ['a count of validators that are not there', `0x${'00'.repeat(32)}15${'00'.repeat(65)}`],
  ['votes that are cut', extraData.slice(0, -400)],
  ['validators out of order', extraData.replace(/^(0x.{66})(.{136})(.{136})/, '$1$3$2')],
])('finds no validators, or no votes, in %s', (name, changed) => {
  const isWhole = namedValidators(changed, form) !== undefined && attestationIn(changed, form) !== undefined;
  expect([name, isWhole]).toEqual([name, false]);
});
