import { RLP } from '@ethereumjs/rlp';
import { keccak_256 } from '@noble/hashes/sha3.js';
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

/* Extra data made by its layout: 32 bytes, validators in an epoch block, votes, and a seal of 65 bytes. */

const filled = (length: number, byte: number) => Buffer.alloc(length, byte);
const vanity = filled(32, 0);
const seal = filled(65, 0);
const hexOf = (...parts: readonly Uint8Array[]) => `0x${Buffer.concat(parts).toString('hex')}`;
const validator = (address: number, key = address) => Buffer.concat([filled(20, address), filled(48, key)]);
const validators = (...addresses: readonly number[]) =>
  Buffer.concat([Buffer.of(addresses.length), ...addresses.map((address) => validator(address))]);

describe('the validators of an epoch block', () => {
  const since = (turnLength: number, ...addresses: readonly number[]) =>
    namedValidators(hexOf(vanity, validators(...addresses), Buffer.of(turnLength), seal), form);

  test('have their keys in the order of their addresses, and a turn length', () => {
    const voteKeys = [hexOf(filled(48, 1)), hexOf(filled(48, 2))];
    expect(since(16, 1, 2)).toEqual({ voteKeys, turnLength: 16 });
    expect(since(1, 1)).toEqual({ voteKeys: voteKeys.slice(0, 1), turnLength: 1 });
  });

  test('mine one block in a row before Bohr, when none stated a turn length', () => {
    const extra = hexOf(vanity, validators(1, 2), seal);
    expect(namedValidators(extra, { ...form, hasTurnLength: false })).toMatchObject({ turnLength: 1 });
    // The byte that would be the turn length belongs to the seal.
    expect(namedValidators(extra, form)).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ['none are named', since(1)],
    ['their addresses are out of order', since(1, 2, 1)],
    ['one has two keys', since(1, 1, 1)],
    ['none would ever mine', since(0, 1, 2)],
  ])('are refused if %s', (_, named) => {
    expect(named).toBeUndefined();
  });

  test('are in no other block', () => {
    const extra = hexOf(vanity, validators(1), Buffer.of(1), seal);
    expect(namedValidators(extra, { ...form, isEpochBlock: false })).toBeUndefined();
  });
});

describe('the votes of a header', () => {
  const data = [7, filled(32, 0xaa), 8, filled(32, 0xbb)] as const;
  const votes = RLP.encode([5, filled(96, 0xcc), [...data], '0x']);
  const between = { ...form, isEpochBlock: false };

  test.each([
    ['behind the vanity', [], between],
    ['behind the validators', [validators(1, 2)], { ...form, hasTurnLength: false }],
    ['behind the turn length', [validators(1, 2), Buffer.of(1)], form],
  ])('are read %s, whatever follows them', (_, before, its) => {
    for (const after of [Buffer.alloc(0), filled(3, 1)]) {
      expect(attestationIn(hexOf(vanity, ...before, votes, after, seal), its)).toEqual({
        votes: 5n,
        signature: filled(96, 0xcc),
        message: keccak_256(RLP.encode([...data])),
        source: { number: 7, hash: hexOf(filled(32, 0xaa)) },
        target: { number: 8, hash: hexOf(filled(32, 0xbb)) },
      });
    }
  });

  test('do not reach into the seal', () => {
    expect(attestationIn(hexOf(vanity, votes, seal.subarray(1)), between)).toBeUndefined();
  });

  test('are of two blocks alone', () => {
    const more = RLP.encode([5, filled(96, 0xcc), [...data, 9]]);
    expect(attestationIn(hexOf(vanity, more, seal), between)).toBeUndefined();
  });
});
