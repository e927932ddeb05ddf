import {
  applyUpdate,
  committeeIn,
  type LightClientState,
  startLightClient,
} from '#core/finality/sync-committee/light-client.ts';
import {
  answersOf,
  beginRecording,
  networkOf,
  type Recorded,
  readFixture,
} from '#test/support/generators/files/finality-fixtures.ts';

const LATER = Number.MAX_SAFE_INTEGER;

/** Applies the answers of a recording up to one of them. */
function follow(recorded: Recorded, count = Number.POSITIVE_INFINITY) {
  const client = beginRecording(recorded);
  let { state } = client;
  const results = answersOf(recorded)
    .slice(0, count)
    .map((answer) => {
      const result = applyUpdate(client.network, state, client.committees, answer, LATER);
      if (result.kind !== 'advanced') return { kind: result.kind, slot: state.slot };
      state = result.state;
      if (result.learned) client.know(result.learned);
      return { kind: result.kind, slot: state.slot };
    });
  return { ...client, state, results };
}

const recordings = [
  'mainnet-capella-862',
  'mainnet-deneb-1167',
  'mainnet-deneb-electra-1421',
  'mainnet-electra-1600-early',
  'sepolia-electra-874',
  'devnet-fulu',
];

test.each(recordings)('verifies the recording %s as other clients do', (name) => {
  const recorded = readFixture(name);
  const { state, results } = follow(recorded);
  const { steps, finalized } = recorded.expected;
  // The recording's client applies updates that finalize nothing new, too.
  const slots = steps.map((step: Recorded) => Number(step.finalized_slot_after));
  const own = results.map(({ slot }) => slot);
  expect(own.at(-1)).toBe(slots.at(-1));
  expect(own.every((slot, index) => slot <= slots[index])).toBe(true);
  expect(results.filter(({ kind }) => kind === 'missing committee')).toHaveLength(
    steps.filter((step: Recorded) => step.refused).length,
  );
  if (finalized)
    expect(state).toMatchObject({
      slot: Number(finalized.slot),
      root: finalized.beacon_root,
      block: { hash: finalized.block_hash, number: Number(finalized.block_number) },
    });
});

test.each(['sepolia-electra-874', 'devnet-fulu', 'made-gloas'])(
  'no update of %s teaches anything twice',
  (name) => {
    const recorded = readFixture(name);
    const client = beginRecording(recorded);
    let { state } = client;
    for (const answer of answersOf(recorded)) {
      const result = applyUpdate(client.network, state, client.committees, answer, LATER);
      if (result.kind !== 'advanced') continue;
      expect(result.state).not.toEqual(state);
      state = result.state;
      if (result.learned) client.know(result.learned);
      expect(applyUpdate(client.network, state, client.committees, answer, LATER).kind).not.toBe('advanced');
    }
  },
);

test.each(['made-fulu-1700', 'made-gloas'])('verifies %s, made by the specification', (name) => {
  const recorded = readFixture(name);
  const { state, results } = follow(recorded);
  expect(results.every(({ kind }) => kind === 'advanced' || kind === 'known')).toBe(true);
  const { beacon, execution, execution_block_hash } = recorded.finality_update.data.finalized_header;
  expect(state.slot).toBe(Number(beacon.slot));
  expect(state.block).toEqual(
    execution_block_hash
      ? { hash: execution_block_hash }
      : { hash: execution.block_hash, number: Number(execution.block_number) },
  );
});

test.each([
  'spec-deneb-light_client_sync',
  'spec-electra-light_client_sync',
  'spec-electra-advance_finality_without_sync_committee',
])('ends each strict step of %s with the header that the specification names', (name) => {
  const recorded = readFixture(name);
  const client = beginRecording(recorded);
  let { state } = client;
  let checked = 0;
  for (const { update, strict, checks } of recorded.steps) {
    if (!update) continue;
    const result = applyUpdate(client.network, state, client.committees, update, LATER);
    if (result.kind === 'advanced') {
      state = result.state;
      if (result.learned) client.know(result.learned);
    }
    if (!strict) continue;
    expect([state.slot, state.root]).toEqual([Number(checks.finalized.slot), checks.finalized.beacon_root]);
    checked += 1;
  }
  expect(checked).toBeGreaterThan(0);
});

/** The made recording, before its last update, which exactly 342 of 512 members sign. */
function lastOf() {
  const recorded = readFixture('made-fulu-1700');
  const answers = answersOf(recorded);
  const { state, ...client } = follow(recorded, answers.length - 1);
  const answer = structuredClone(answers.at(-1));
  const apply = (changed: Recorded = answer, from: LightClientState = state, slot = LATER) =>
    applyUpdate(client.network, from, client.committees, changed, slot);
  return { ...client, recorded, state, answer, apply };
}

const bitsOf = (hex: string) =>
  Buffer.from(hex.slice(2), 'hex').reduce(
    (sum, byte) => sum + byte.toString(2).replaceAll('0', '').length,
    0,
  );

/** Clears one bit of a hex string that is set. */
function withoutBit(hex: string): string {
  const bytes = Buffer.from(hex.slice(2), 'hex');
  const at = bytes.findIndex((byte) => byte > 0);
  const byte = bytes[at] ?? 0;
  bytes[at] = byte & (byte - 1);
  return `0x${bytes.toString('hex')}`;
}

describe('a forged update is refused', () => {
  test('with 341 of 512 signers, and not with 342', () => {
    const { recorded, network, committees } = lastOf();
    const answers = answersOf(recorded);
    const index = answers.findIndex(
      ({ data }: Recorded) => bitsOf(data.sync_aggregate.sync_committee_bits) === 342,
    );
    const { state } = follow(recorded, index);
    const answer = structuredClone(answers[index]);
    expect(applyUpdate(network, state, committees, answer, LATER).kind).toBe('advanced');
    const { sync_aggregate } = answer.data;
    sync_aggregate.sync_committee_bits = withoutBit(sync_aggregate.sync_committee_bits);
    expect(applyUpdate(network, state, committees, answer, LATER)).toEqual({
      kind: 'refused',
      reason: 'only 341 of 512 members signed it',
    });
  });

  test('when another committee signed it', () => {
    const { answer, state, apply, committees } = lastOf();
    const other = readFixture('mainnet-deneb-1167').bootstrap.data.current_sync_committee;
    const foreign = committeeIn({ ...answer, data: { ...answer.data, next_sync_committee: other } });
    if (!foreign) throw new Error('The fixture has a committee');
    for (const root of [...committees.keys()]) committees.set(root, foreign.committee);
    expect(apply()).toMatchObject({ reason: expect.stringContaining('its signature is not') });
    expect(apply(answer, { ...state, committee: foreign.root, nextCommittee: foreign.root })).toEqual({
      kind: 'missing committee',
    });
  });

  test('with a next committee of its own choice', () => {
    const recorded = readFixture('mainnet-deneb-1167');
    const { network, committees, state } = beginRecording(recorded);
    const [answer] = structuredClone(answersOf(recorded));
    answer.data.next_sync_committee = readFixture('made-fulu-1700').bootstrap.data.current_sync_committee;
    expect(applyUpdate(network, state, committees, answer, LATER)).toMatchObject({
      reason: 'its next sync committee does not belong to its attested header',
    });
  });

  test('under the version of another fork, and under a fork that is not known', () => {
    const { answer, state, network, committees } = lastOf();
    const forks = network.forks.map((fork) => ({ ...fork, version: '0x12345678' }));
    expect(applyUpdate({ ...network, forks }, state, committees, answer, LATER).kind).toBe('refused');
    expect(applyUpdate({ ...network, forks: [] }, state, committees, answer, LATER)).toMatchObject({
      reason: 'its fork is not known here',
    });
  });

  test('whichever of its values is another', () => {
    const recorded = readFixture('mainnet-capella-862');
    const { network, committees, state } = follow(recorded, answersOf(recorded).length - 1);
    const answer = structuredClone(recorded.finality_update);
    const apply = () => applyUpdate(network, state, committees, answer, LATER).kind;
    expect(apply()).toBe('advanced');
    let count = 0;
    const visit = (value: Recorded): void => {
      for (const [name, member] of Object.entries<Recorded>(value)) {
        // The slot of the signature only decides about period and fork.
        if (name === 'signature_slot') continue;
        if (typeof member !== 'string') {
          visit(member);
          continue;
        }
        value[name] = member.startsWith('0x')
          ? `${member.slice(0, -1)}${member.endsWith('0') ? '1' : '0'}`
          : String(BigInt(member) + 1n);
        expect([name, apply()]).toEqual([name, 'refused']);
        value[name] = member;
        count += 1;
      }
    };
    visit(answer.data);
    expect(count).toBeGreaterThan(50);
    expect(apply()).toBe('advanced');
  });
});

test.each<[string, (bootstrap: Recorded) => unknown, string]>([
  [
    'another header',
    ({ data }) => Object.assign(data.header.beacon, { slot: '1' }),
    'its header has the root',
  ],
  [
    'another committee',
    ({ data }) => data.current_sync_committee.pubkeys.reverse(),
    'its sync committee does not belong',
  ],
  [
    'another execution block',
    ({ data }) => Object.assign(data.header.execution, { block_hash: `0x${'ab'.repeat(32)}` }),
    'its execution block does not belong',
  ],
  ['no header', ({ data }) => Object.assign(data, { header: undefined }), 'it is not a bootstrap'],
])('a bootstrap with %s is refused', (_, change, reason) => {
  const recorded = readFixture('mainnet-deneb-1167');
  const bootstrap = structuredClone(recorded.bootstrap);
  change(bootstrap);
  const result = startLightClient(networkOf(recorded), recorded.trusted_block_root, bootstrap);
  expect(result).toMatchObject({ kind: 'refused', reason: expect.stringContaining(reason) });
});
