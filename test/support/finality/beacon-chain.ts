import type { BeaconNetwork } from '#core/chains/finality-rules.ts';
import type { BeaconHeader, Committee, Header, Update } from '#core/finality/sync-committee/answers.ts';
import { layoutAt, periodOf, slotAt } from '#core/finality/sync-committee/network.ts';
import { signingRoot } from '#core/finality/sync-committee/signature.ts';
import {
  committeeRoot as hashCommittee,
  hashPair,
  headerRoot,
  payloadRoot,
} from '#core/finality/sync-committee/ssz.ts';
import { toHex } from '#core/proof/encoding/hex.ts';
import type { RpcHeader } from '#core/proof/json/rpc-types.ts';
import { keyOf, sign, sumOf, type ValidatorKey } from './validator-keys.ts';

/*
 * A simulated beacon chain: it has no blocks of its own, and makes what a light client requests from execution blocks, signed by a
 * committee whose keys anyone can derive.
 */

/** Keys of a committee. Each has as many seats as another. */
const KEYS = 8;
const ZERO = Buffer.alloc(32);

type ReadBlock = (at: number | 'finalized') => Promise<RpcHeader>;

/** The answers of a light-client server, before they become JSON. */
export interface BeaconChain {
  /** Returns the root of the final block. */
  readonly checkpoint: () => Promise<string>;
  /** @returns undefined for a root that it has not named */
  readonly bootstrap: (root: string) => Bootstrap | undefined;
  readonly finalityUpdate: () => Promise<Update>;
  /** Returns the updates of periods, each from the end of its period or from the final block. */
  readonly updates: (startPeriod: number, count: number) => Promise<readonly Update[]>;
}

/** @param name of the committees: another one has other keys */
export function createBeaconChain(
  network: BeaconNetwork,
  readBlock: ReadBlock,
  name = 'committee',
): BeaconChain {
  const committeeAt = committees(network, name);
  const named = new Map<string, { readonly slot: number; readonly block: RpcHeader }>();
  const slotOf = ({ timestamp }: RpcHeader) => slotAt(network, Number(timestamp));
  const final = () => readBlock('finalized');
  const rootOf = (block: RpcHeader, slot: number): string => {
    const root = toHex(headerRoot(bootstrapAt(network, committeeAt, block, slot).header.beacon));
    named.set(root, { slot, block });
    return root;
  };
  // Signing takes long, and several servers and runs ask for the same update.
  const signed = new Map<string, Update>();
  const updateAt = (block: RpcHeader, slot: number): Update => {
    const root = rootOf(block, slot);
    const update = signed.get(root) ?? signedUpdate(network, committeeAt, block, slot);
    signed.set(root, update);
    return update;
  };
  return {
    checkpoint: async () => {
      const block = await final();
      return rootOf(block, slotOf(block));
    },
    bootstrap: (root) => {
      const known = named.get(root);
      return known && bootstrapAt(network, committeeAt, known.block, known.slot);
    },
    finalityUpdate: async () => {
      const block = await final();
      return withoutCommittee(updateAt(block, slotOf(block)));
    },
    updates: async (startPeriod, count) => {
      const newest = slotOf(await final());
      const last = Math.min(startPeriod + count - 1, periodOf(network, newest));
      const updates: Update[] = [];
      for (let period = startPeriod; period <= last; period++) {
        const slot = Math.min((period + 1) * network.slotsPerEpoch * network.epochsPerPeriod - 2, newest);
        updates.push(updateAt(await newestUpTo(readBlock, (block) => slotOf(block) <= slot), slot));
      }
      return updates;
    },
  };
}

/** Returns the newest final block that is early enough, or genesis. */
async function newestUpTo(readBlock: ReadBlock, isEarly: (block: RpcHeader) => boolean): Promise<RpcHeader> {
  let block = await readBlock('finalized');
  while (!isEarly(block) && Number(block.number) > 0) block = await readBlock(Number(block.number) - 1);
  return block;
}

const withoutCommittee = ({
  next_sync_committee: _,
  next_sync_committee_branch: __,
  ...update
}: Update): Update => update;

interface Bootstrap {
  readonly header: Header;
  readonly current_sync_committee: Committee;
  readonly current_sync_committee_branch: readonly Buffer[];
}

type CommitteeAt = (period: number) => SimulatedCommittee;

function bootstrapAt(
  network: BeaconNetwork,
  committeeAt: CommitteeAt,
  block: RpcHeader,
  slot: number,
): Bootstrap {
  const { committee } = committeeAt(periodOf(network, slot));
  const { currentCommittee } = layout(network, slot);
  const state = treeOf(new Map([[currentCommittee, committeeRoot(committee)]]));
  return {
    header: headerOf(network, block, slot, state.root()),
    current_sync_committee: committee,
    current_sync_committee_branch: state.branch(currentCommittee),
  };
}

/** Returns an update that the whole committee signs in the next slot. */
function signedUpdate(
  network: BeaconNetwork,
  committeeAt: CommitteeAt,
  block: RpcHeader,
  slot: number,
): Update {
  const { finalizedRoot, nextCommittee } = layout(network, slot);
  const { committee: next } = committeeAt(periodOf(network, slot) + 1);
  const { header: finalized } = bootstrapAt(network, committeeAt, block, slot);
  const leaves = [
    [finalizedRoot, headerRoot(finalized.beacon)],
    [nextCommittee, committeeRoot(next)],
  ] as const;
  const state = treeOf(new Map(leaves));
  const attested = headerOf(network, block, slot, state.root());
  const { key } = committeeAt(periodOf(network, slot + 1));
  return {
    attested_header: attested,
    finalized_header: finalized,
    finality_branch: state.branch(finalizedRoot),
    next_sync_committee: next,
    next_sync_committee_branch: state.branch(nextCommittee),
    sync_aggregate: {
      sync_committee_bits: Buffer.alloc(network.committeeSize / 8, 0xff),
      sync_committee_signature: sign(key, signingRoot(network, attested.beacon, slot + 1) ?? ZERO),
    },
    signature_slot: slot + 1,
  };
}

function layout(network: BeaconNetwork, slot: number) {
  const found = layoutAt(network, slot);
  if (found) return found;
  throw new Error(`The simulated chain has a block before the first fork: slot ${slot}.`);
}

interface SimulatedCommittee {
  readonly committee: Committee;
  /** Signs for all its members. */
  readonly key: ValidatorKey;
}

function committees({ committeeSize }: BeaconNetwork, name: string) {
  const made = new Map<number, SimulatedCommittee>();
  return (period: number): SimulatedCommittee => {
    const known = made.get(period);
    if (known) return known;
    const keys = Array.from({ length: KEYS }, (_, index) => keyOf(`${name} ${period}, key ${index}`));
    const seats = Array.from({ length: committeeSize }, (_, seat) => keys[seat % KEYS] as ValidatorKey);
    const key = sumOf(keys, committeeSize / KEYS);
    const pubkeys = seats.map(({ publicKey }) => publicKey);
    const entry = { committee: { pubkeys, aggregate_pubkey: key.publicKey }, key };
    made.set(period, entry);
    return entry;
  };
}

function headerOf(network: BeaconNetwork, block: RpcHeader, slot: number, stateRoot: Buffer): Header {
  const { execution: at, blockHash, hasBlobs } = layout(network, slot);
  // Since Gloas, a header has the hash of the block in place of its payload header.
  const isGloas = blockHash === undefined;
  const execution = payloadOf(block);
  const leaf = isGloas ? execution.block_hash : payloadRoot(execution, hasBlobs);
  const body = treeOf(new Map([[at, leaf ?? ZERO]]));
  const beacon: BeaconHeader = {
    slot,
    proposer_index: 0,
    parent_root: ZERO,
    state_root: stateRoot,
    body_root: body.root(),
  };
  const told = isGloas ? { execution_block_hash: execution.block_hash } : { execution };
  return { beacon, ...told, execution_branch: body.branch(at) };
}

/** A committee has 512 keys to hash, and each header of its period contains its root. */
const committeeRoots = new WeakMap<Committee, Buffer>();
function committeeRoot(committee: Committee): Buffer {
  const root = committeeRoots.get(committee) ?? hashCommittee(committee);
  committeeRoots.set(committee, root);
  return root;
}

const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex');

/** Returns the payload header of a block. The roots of its transactions and withdrawals are of another kind there, and nobody checks them. */
const payloadOf = (block: RpcHeader): NonNullable<Header['execution']> => ({
  parent_hash: bytes(block.parentHash),
  fee_recipient: bytes(block.miner),
  state_root: bytes(block.stateRoot),
  receipts_root: bytes(block.receiptsRoot),
  logs_bloom: bytes(block.logsBloom),
  prev_randao: bytes(block.mixHash),
  block_number: Number(block.number),
  gas_limit: BigInt(block.gasLimit),
  gas_used: BigInt(block.gasUsed),
  timestamp: BigInt(block.timestamp),
  extra_data: bytes(block.extraData),
  base_fee_per_gas: BigInt(block.baseFeePerGas ?? 0),
  block_hash: bytes(block.hash),
  transactions_root: ZERO,
  withdrawals_root: ZERO,
  blob_gas_used: BigInt(block.blobGasUsed ?? 0),
  excess_blob_gas: BigInt(block.excessBlobGas ?? 0),
});

/** Returns a tree that is empty except at some generalized indices. */
function treeOf(leaves: ReadonlyMap<number, Buffer>) {
  const isAbove = (index: number) =>
    [...leaves.keys()].some(
      (leaf) => leaf > index && leaf >> (Math.clz32(index) - Math.clz32(leaf)) === index,
    );
  const node = (index: number): Buffer =>
    leaves.get(index) ?? (isAbove(index) ? hashPair(node(2 * index), node(2 * index + 1)) : ZERO);
  const branch = (index: number): Buffer[] =>
    index === 1 ? [] : [node(index % 2 === 0 ? index + 1 : index - 1), ...branch(Math.floor(index / 2))];
  return { root: () => node(1), branch };
}
