import { bootstrapAnswer, updateAnswer } from '#core/finality/sync-committee/answers.ts';

/*
 * Proves that members of an answer have the length and the size that the protocol gives them, so that no server makes a run hash more.
 * test/whole/ingest/real-finality.test.ts decodes answers of real servers.
 */

const hex = (bytes: number) => `0x${'1f'.repeat(bytes)}`;
const beacon = {
  slot: '7',
  proposer_index: '1',
  parent_root: hex(32),
  state_root: hex(32),
  body_root: hex(32),
};
const execution = {
  ...{ parent_hash: hex(32), fee_recipient: hex(20), state_root: hex(32), receipts_root: hex(32) },
  ...{
    logs_bloom: hex(256),
    prev_randao: hex(32),
    block_number: '9',
    gas_limit: '1',
    gas_used: '1',
    timestamp: '1',
  },
  ...{ extra_data: hex(32), base_fee_per_gas: '7', block_hash: hex(32), transactions_root: hex(32) },
  withdrawals_root: hex(32),
};
const header = { beacon, execution, execution_branch: [hex(32)] };
const update = {
  attested_header: header,
  finalized_header: header,
  finality_branch: [hex(32)],
  sync_aggregate: { sync_committee_bits: hex(64), sync_committee_signature: hex(96) },
  signature_slot: '8',
};
const committee = (count: number) => ({ pubkeys: Array(count).fill(hex(48)), aggregate_pubkey: hex(48) });
const bootstrap = (change: object) => ({
  data: { header, current_sync_committee: committee(512), current_sync_committee_branch: [], ...change },
});
const withExecution = (change: object) => ({
  data: { ...update, finalized_header: { ...header, execution: { ...execution, ...change } } },
});

test('decodes bytes, slots and integers', () => {
  const { data } = updateAnswer.parse(withExecution({ base_fee_per_gas: String(2n ** 256n - 1n) }));
  expect(data.signature_slot).toBe(8);
  expect(data.finalized_header.beacon.body_root).toEqual(Buffer.alloc(32, 0x1f));
  expect(data.finalized_header.execution?.base_fee_per_gas).toBe(2n ** 256n - 1n);
  expect(data.finalized_header.execution?.blob_gas_used).toBeUndefined();
});

test.each<[string, object, boolean]>([
  ['no extra data', { extra_data: '0x' }, true],
  ['33 bytes of extra data', { extra_data: hex(33) }, false],
  ['extra data with zeros', { extra_data: '0x00a0' }, true],
  ...['gas_limit', 'gas_used', 'timestamp', 'blob_gas_used', 'excess_blob_gas'].flatMap(
    (name): [string, object, boolean][] => [
      ['64 bits', { [name]: String(2n ** 64n - 1n) }, true],
      ['65 bits', { [name]: String(2n ** 64n) }, false],
    ],
  ),
  ['257 bits', { base_fee_per_gas: String(2n ** 256n) }, false],
  ['half a byte', { block_hash: `${hex(31)}1` }, false],
  ['a hash without its prefix', { block_hash: hex(32).slice(2) }, false],
  ['a hash in capitals', { block_hash: `0x${'1F'.repeat(32)}` }, true],
  ['an integer in hex', { gas_limit: '0x1' }, false],
  ['a negative integer', { gas_limit: '-1' }, false],
  ['a number of 15 digits', { block_number: '9'.repeat(15) }, true],
  ['a number of 16 digits', { block_number: '9'.repeat(16) }, false],
])('an execution header may have %s: %#', (_, change, isValid) => {
  expect(updateAnswer.safeParse(withExecution(change)).success).toBe(isValid);
});

test.each<[string, object, boolean]>([
  ['512 keys', { current_sync_committee: committee(512) }, true],
  ['513 keys', { current_sync_committee: committee(513) }, false],
  ['a branch of 16 hashes', { current_sync_committee_branch: Array(16).fill(hex(32)) }, true],
  ['a branch of 17 hashes', { current_sync_committee_branch: Array(17).fill(hex(32)) }, false],
])('a bootstrap may have %s: %#', (_, change, isValid) => {
  expect(bootstrapAnswer.safeParse(bootstrap(change)).success).toBe(isValid);
});

test.each([
  [0, false],
  [1, true],
  [64, true],
  [65, false],
])('%i bytes of bits of a committee are valid: %p', (bytes, isValid) => {
  for (const sync_committee_bits of [hex(bytes), `0x${'00'.repeat(bytes)}`]) {
    const sync_aggregate = { ...update.sync_aggregate, sync_committee_bits };
    expect(updateAnswer.safeParse({ data: { ...update, sync_aggregate } }).success).toBe(isValid);
  }
});
