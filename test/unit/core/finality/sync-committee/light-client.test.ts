import {
  applyUpdate,
  checkpointIn,
  committeeIn,
  type LightClientState,
} from '#core/finality/sync-committee/light-client.ts';
import {
  answersOf,
  networkOf,
  type Recorded,
  readFixture,
} from '#test/support/generators/files/finality-fixtures.ts';

/*
 * Proves in which slots an update may be signed and what it must bring. Signatures are not verified here: without committees, an update whose
 * slots and contents are right ends with `missing committee`. light-client.slow.test.ts verifies recorded and forged ones.
 */

const recorded = readFixture('mainnet-capella-862');
const network = networkOf(recorded);
const SLOTS_PER_PERIOD = 8_192;
const OUT_OF_ORDER = { kind: 'refused', reason: 'its slots are out of order, or in the future' };
const ACCEPTED = { kind: 'missing committee' };

const { data: update } = recorded.finality_update;
const finalized = Number(update.finalized_header.beacon.slot);
const attested = Number(update.attested_header.beacon.slot);
const signed = Number(update.signature_slot);

const stateAt = (slot: number, nextCommittee?: string): LightClientState => ({
  ...{ kind: 'sync committee', slot, root: '0x', block: { hash: '0x' } },
  ...{ committee: '0x12', nextCommittee },
});
const apply = (answer: Recorded, state = stateAt(finalized - 1), currentSlot = Number.MAX_SAFE_INTEGER) =>
  applyUpdate(network, state, new Map(), answer, currentSlot);

/** The last update with other slots of its signature and of the header that is signed. Only signatures cover these. */
const withSlots = (signature: number, header = attested): Recorded => ({
  data: {
    ...update,
    attested_header: {
      ...update.attested_header,
      beacon: { ...update.attested_header.beacon, slot: String(header) },
    },
    signature_slot: String(signature),
  },
});

test('an update is accepted from the slot of its signature on', () => {
  expect(apply(recorded.finality_update, undefined, signed)).toEqual(ACCEPTED);
  expect(apply(recorded.finality_update, undefined, signed - 1)).toEqual(OUT_OF_ORDER);
});

test('a header is signed in a later slot, and finalizes no later header', () => {
  expect(apply(withSlots(attested + 1))).toEqual(ACCEPTED);
  expect(apply(withSlots(attested))).toEqual(OUT_OF_ORDER);
  expect(apply(withSlots(signed, finalized))).toEqual(ACCEPTED);
  expect(apply(withSlots(signed, finalized - 1))).toEqual(OUT_OF_ORDER);
});

test('an update that finalizes nothing is refused', () => {
  const finality_branch = update.finality_branch.map(() => `0x${'00'.repeat(32)}`);
  expect(apply({ data: { ...update, finality_branch } })).toMatchObject({ reason: 'it finalizes nothing' });
});

test('an update is known if it finalizes no later block and brings no new committee', () => {
  expect(apply(recorded.finality_update, stateAt(finalized - 1))).toEqual(ACCEPTED);
  expect(apply(recorded.finality_update, stateAt(finalized))).toEqual({ kind: 'known' });
});

describe('an update with the next committee, which finalizes no later block,', () => {
  const [answer] = recorded.updates;
  const slot = Number(answer.data.attested_header.beacon.slot);

  test('is not known until the state has that committee', () => {
    expect(apply(answer, stateAt(slot))).toEqual(ACCEPTED);
    expect(apply(answer, stateAt(slot, '0x34'))).toEqual({ kind: 'known' });
  });

  test('is known in another period, or without the proof of the committee', () => {
    expect(apply(answer, stateAt(slot + SLOTS_PER_PERIOD))).toEqual({ kind: 'known' });
    const next_sync_committee_branch = answer.data.next_sync_committee_branch.map(
      () => `0x${'00'.repeat(32)}`,
    );
    const without = { data: { ...answer.data, next_sync_committee_branch } };
    expect(apply(without, stateAt(slot))).toEqual({ kind: 'known' });
  });
});

test('an update may name no other next committee than the known one of its period', () => {
  const [answer] = recorded.updates;
  const before = Number(answer.data.finalized_header.beacon.slot) - 1;
  expect(apply(answer, stateAt(before, committeeIn(answer)?.root))).toEqual(ACCEPTED);
  expect(apply(answer, stateAt(before, '0x34'))).toEqual({
    kind: 'refused',
    reason: 'its next sync committee is not the known one',
  });
});

test('reads the block that an update calls final, and the committee that it names', () => {
  expect(checkpointIn(recorded.finality_update)).toBe(recorded.expected.finalized.beacon_root);
  expect(committeeIn(recorded.finality_update)).toBeUndefined();
  for (const other of [{}, undefined, recorded.bootstrap])
    expect([checkpointIn(other), committeeIn(other)]).toEqual([undefined, undefined]);
});

describe('the hash of an execution block in the form of Gloas', () => {
  const gloas = readFixture('made-gloas');
  const HASH = `0x${'ab'.repeat(32)}`;
  const ZEROS = `0x${'00'.repeat(32)}`;
  // Gloas begins in slot 192. Headers from before have a branch that begins with zeros, because it is shorter.
  const isEarlier = ({ data }: Recorded) => Number(data.finalized_header.beacon.slot) < 192;
  /** Applies an update whose finalized header is changed. Nothing of a header but its beacon block decides the slots. */
  const applyWith = (answer: Recorded, change: Recorded = {}) => {
    const { data } = answer;
    const finalized_header = { ...data.finalized_header, ...change };
    // Another committee signs it in the next period.
    const state = stateAt(Number(finalized_header.beacon.slot) - 1, isEarlier(answer) ? '0x34' : undefined);
    const changed = { data: { ...data, finalized_header } };
    return applyUpdate(networkOf(gloas), state, new Map(), changed, Number.MAX_SAFE_INTEGER);
  };
  const FORGED = { kind: 'refused', reason: 'an execution block does not belong to its header' };
  const updates = answersOf(gloas).filter(({ data }) => data.finalized_header.execution_block_hash);

  test.each([
    ['since Gloas', updates.filter((answer) => !isEarlier(answer))],
    ['before Gloas', updates.filter(isEarlier)],
  ])('is proven by its branch in a header from %s', (_, answers) => {
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) {
      const { execution_branch: branch } = answer.data.finalized_header;
      expect(applyWith(answer)).toEqual(ACCEPTED);
      expect(applyWith(answer, { execution_block_hash: HASH })).toEqual(FORGED);
      expect(applyWith(answer, { execution_block_hash: undefined })).toEqual(FORGED);
      expect(applyWith(answer, { execution_branch: branch.with(-1, HASH) })).toEqual(FORGED);
      expect(applyWith(answer, { execution_branch: branch.slice(0, -1) })).toEqual(FORGED);
      expect(applyWith(answer, { execution_branch: [] })).toEqual(FORGED);
    }
  });

  test('has nothing before its branch but zeros', () => {
    for (const answer of updates) {
      const { execution_branch: branch } = answer.data.finalized_header;
      expect(applyWith(answer, { execution_branch: [ZEROS, ...branch] })).toEqual(ACCEPTED);
      for (const other of [
        [HASH, ...branch],
        [HASH, ZEROS, ...branch],
      ])
        expect(applyWith(answer, { execution_branch: other })).toEqual(FORGED);
    }
  });
});
