import { ETHEREUM_BEACON } from '#core/chains/finality-rules.ts';
import { signatureProblem, signingRoot } from '#core/finality/sync-committee/signature.ts';
import { keyOf, sign, sumOf } from '#test/support/finality/validator-keys.ts';

/* Proves what a committee signs, and how many of its members must. light-client.slow.test.ts verifies real signatures. */

const ZERO = Buffer.alloc(32);
const header = { slot: 1, proposer_index: 2, parent_root: ZERO, state_root: ZERO, body_root: ZERO };
const [capella, deneb] = ETHEREUM_BEACON.forks;
const inFork = (fork: typeof capella) => {
  if (!fork) throw new Error('Ethereum has forks');
  return signingRoot({ ...ETHEREUM_BEACON, forks: [{ ...fork, epoch: 0 }] }, header, 1);
};

test('a signature covers the version of the slot before its own', () => {
  const first = 8_626_176;
  expect(inFork(capella)).not.toEqual(inFork(deneb));
  expect(signingRoot(ETHEREUM_BEACON, header, first)).toEqual(inFork(capella));
  expect(signingRoot(ETHEREUM_BEACON, header, first + 1)).toEqual(inFork(deneb));
});

test('nothing is signed under a fork that is not known', () => {
  expect(signingRoot(ETHEREUM_BEACON, header, 6_209_536)).toBeUndefined();
  expect(signingRoot(ETHEREUM_BEACON, header, 0)).toBeUndefined();
});

/** An update of the genesis slot, before all known forks, that some of 24 members signed. */
const problemWith = (bits: number[], members = 24) =>
  signatureProblem(
    ETHEREUM_BEACON,
    {
      attested_header: { beacon: header, execution_branch: [] },
      finalized_header: { beacon: header, execution_branch: [] },
      finality_branch: [],
      sync_aggregate: { sync_committee_bits: Buffer.from(bits), sync_committee_signature: ZERO },
      signature_slot: 2,
    },
    { pubkeys: Array.from({ length: members }, () => Buffer.alloc(48)), aggregate_pubkey: Buffer.alloc(48) },
  );

test.each([
  ['all', [0xff, 0xff, 0xff], 'its fork is not known here'],
  ['16, which are two thirds', [0xff, 0x7f, 0x01], 'its fork is not known here'],
  ['15', [0xff, 0x7f, 0x00], 'only 15 of 24 members signed it'],
  ['none', [0, 0, 0], 'only 0 of 24 members signed it'],
])('of 24 members, %s sign', (_, bits, problem) => {
  expect(problemWith(bits)).toBe(problem);
});

test('refuses bits of another committee', () => {
  expect(problemWith([0xff, 0xff])).toBe('it has bits for 16 members, not 24');
});

describe('a committee of 24, of whom 16 sign in the second slot of Capella,', () => {
  const slot = 6_209_537;
  const keys = Array.from({ length: 24 }, (_, index) => keyOf(`member ${index}`));
  const signers = sumOf(keys.slice(0, 16));
  const signature = sign(signers, signingRoot(ETHEREUM_BEACON, header, slot) ?? ZERO);
  const committee = {
    pubkeys: keys.map(({ publicKey }) => publicKey),
    aggregate_pubkey: sumOf(keys).publicKey,
  };
  const problemOf = (change: Partial<typeof committee>, bits = [0xff, 0xff, 0x00]) =>
    signatureProblem(
      ETHEREUM_BEACON,
      {
        attested_header: { beacon: header, execution_branch: [] },
        finalized_header: { beacon: header, execution_branch: [] },
        finality_branch: [],
        sync_aggregate: { sync_committee_bits: Buffer.from(bits), sync_committee_signature: signature },
        signature_slot: slot,
      },
      { ...committee, ...change },
    );

  test('has signed', () => {
    expect(problemOf({})).toBeUndefined();
  });

  test.each([
    ['another member', [0xff, 0x7f, 0x01]],
    ['one more', [0xff, 0xff, 0x01]],
  ])('has not signed as if %s had', (_, bits) => {
    expect(problemOf({}, bits)).toContain('its signature is not that of its committee');
  });

  test('needs the keys of all who did not sign, and their sum', () => {
    const problem = 'a key of its committee is invalid';
    expect(problemOf({ aggregate_pubkey: ZERO })).toBe(problem);
    expect(problemOf({ pubkeys: committee.pubkeys.with(20, ZERO) })).toBe(problem);
    expect(problemOf({ pubkeys: committee.pubkeys.with(0, ZERO) })).toBeUndefined();
  });
});
