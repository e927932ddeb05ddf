import { bootstrapAnswer } from '#core/finality/sync-committee/answers.ts';
import { layoutAt } from '#core/finality/sync-committee/network.ts';
import {
  branchLength,
  committeeRoot,
  hashPair,
  headerRoot,
  isInBranch,
  payloadRoot,
} from '#core/finality/sync-committee/ssz.ts';
import { toHex } from '#core/proof/encoding/hex.ts';
import { networkOf, readFixture } from '#test/support/generators/files/finality-fixtures.ts';

/* Proves roots with answers of real servers. light-client.slow.test.ts follows whole recordings. */

describe.each(['mainnet-capella-862', 'mainnet-deneb-1167'])('the bootstrap of %s', (name) => {
  const recorded = readFixture(name);
  const { header, ...rest } = bootstrapAnswer.parse(recorded.bootstrap).data;
  const layout = layoutAt(networkOf(recorded), header.beacon.slot);
  if (!layout || !header.execution) throw new Error('The fixture has a known layout');
  const { execution } = header;

  test('has the root of its header', () => {
    expect(toHex(headerRoot(header.beacon))).toBe(recorded.trusted_block_root);
  });

  test('has the root of its committee in its state, and of its payload in its body', () => {
    const committee = committeeRoot(rest.current_sync_committee);
    const isCommittee = (branch: readonly Buffer[], index = layout.currentCommittee) =>
      isInBranch(committee, branch, index, header.beacon.state_root);
    const branch = rest.current_sync_committee_branch;
    expect(isCommittee(branch)).toBe(true);
    expect([branch.slice(1), branch.toReversed(), []].map((other) => isCommittee(other))).toEqual([
      false,
      false,
      false,
    ]);
    expect(isCommittee(branch, layout.nextCommittee)).toBe(false);
    const root = payloadRoot(execution, layout.hasBlobs);
    expect(root && isInBranch(root, header.execution_branch, layout.execution, header.beacon.body_root)).toBe(
      true,
    );
  });

  test('has another payload root without one of the members of blobs', () => {
    const { blob_gas_used, ...without } = execution;
    expect(payloadRoot(without, true)).toBeUndefined();
    expect(payloadRoot(without, false)).toEqual(payloadRoot(execution, false));
  });
});

test.each([
  [1, 0],
  [2, 1],
  [3, 1],
  [4, 2],
  [54, 5],
  [105, 6],
  [169, 7],
])('the branch to the generalized index %i has %i nodes', (index, length) => {
  expect(branchLength(index)).toBe(length);
});

test('a left child is hashed before its sibling, and a right one after it', () => {
  const [leaf, sibling] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  expect(isInBranch(leaf, [sibling], 2, hashPair(leaf, sibling))).toBe(true);
  expect(isInBranch(leaf, [sibling], 3, hashPair(sibling, leaf))).toBe(true);
  expect(isInBranch(leaf, [sibling], 2, hashPair(sibling, leaf))).toBe(false);
  expect(isInBranch(leaf, [], 1, leaf)).toBe(true);
});
