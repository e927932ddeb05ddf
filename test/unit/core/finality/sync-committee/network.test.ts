import { ETHEREUM_BEACON } from '#core/chains/finality-rules.ts';
import { forkAt, layoutAt, periodOf, slotAt, timeOfSlot } from '#core/finality/sync-committee/network.ts';

/* Proves the times, periods and layouts of Ethereum's beacon chain by their dates, and by the members of the specification's containers. */

const seconds = (date: string) => Date.parse(date) / 1_000;

// https://github.com/ethereum/consensus-specs: the forks begin at these slots.
const CAPELLA = 6_209_536;
const DENEB = 8_626_176;
const ELECTRA = 11_649_024;
const FULU = 13_164_544;

test.each([
  [0, '2020-12-01T12:00:23Z'],
  // The first slot after The Merge.
  [4_700_013, '2022-09-15T06:42:59Z'],
  [DENEB, '2024-03-13T13:55:35Z'],
])('slot %i begins at %s, and lasts 12 seconds', (slot, date) => {
  expect(timeOfSlot(ETHEREUM_BEACON, slot)).toBe(seconds(date));
  expect(slotAt(ETHEREUM_BEACON, seconds(date))).toBe(slot);
  expect(slotAt(ETHEREUM_BEACON, seconds(date) + 11)).toBe(slot);
  expect(slotAt(ETHEREUM_BEACON, seconds(date) + 12)).toBe(slot + 1);
});

test('a period has 256 epochs of 32 slots', () => {
  expect([0, 8_191, 8_192, 16_383, 16_384].map((slot) => periodOf(ETHEREUM_BEACON, slot))).toEqual([
    0, 0, 1, 1, 2,
  ]);
});

test.each([
  [CAPELLA - 1, undefined],
  [CAPELLA, 'capella'],
  [DENEB - 1, 'capella'],
  [DENEB, 'deneb'],
  [ELECTRA, 'electra'],
  [FULU, 'fulu'],
])('slot %i is of the fork %s', (slot, name) => {
  expect(forkAt(ETHEREUM_BEACON, slot)?.name).toBe(name);
  expect(layoutAt(ETHEREUM_BEACON, slot) === undefined).toBe(name === undefined);
});

/** The generalized index of a member of a container, whose members are padded to a power of two. */
const memberOf = (members: number, position: number, container = 1) => container * members + position;

// BeaconState: finalized_checkpoint is at 20, and the committees are at 22 and 23. BeaconBlockBody: execution_payload is at 9.
// ExecutionPayload: block_hash is at 12. Checkpoint: root is at 1. Electra's state has more than 32 members, and Deneb's payload more than 16.
test.each([
  ['capella', CAPELLA, 32, 16],
  ['deneb', DENEB, 32, 32],
  ['electra', ELECTRA, 64, 32],
  ['fulu', FULU, 64, 32],
])('%s has the members where its containers put them', (name, slot, state, payload) => {
  const execution = memberOf(16, 9);
  expect(layoutAt(ETHEREUM_BEACON, slot)).toEqual({
    finalizedRoot: memberOf(2, 1, memberOf(state, 20)),
    currentCommittee: memberOf(state, 22),
    nextCommittee: memberOf(state, 23),
    execution,
    blockHash: memberOf(payload, 12, execution),
    hasBlobs: name !== 'capella',
  });
});
