import type { BeaconNetwork } from '../../core/chains/finality-rules.ts';
import type { BeaconHeader, Committee, Header, Update } from '../../core/finality/sync-committee/answers.ts';
import { signingRoot } from '../../core/finality/sync-committee/light-client.ts';
import { layoutAt, periodOf, slotAt } from '../../core/finality/sync-committee/network.ts';
import { committeeRoot, headerRoot, payloadRoot } from '../../core/finality/sync-committee/roots.ts';
import { hashPair } from '../../core/finality/sync-committee/ssz.ts';
import type { RpcHeader } from '../../core/proof/json/rpc-types.ts';
import { type DevelopmentKey, keyOf, sign, sumOf } from './keys.ts';

/*
 * The beacon chain of a development chain: it has no blocks of its own, and makes up what a light client asks for from the node's blocks,
 * signed by a committee whose keys anyone can derive.
 */

/** Keys of a committee. Each has as many seats as another. */
const KEYS = 8;
const ZERO = Buffer.alloc(32);

type ReadBlock = (at: number | 'finalized') => Promise<RpcHeader>;

export type BeaconChain = ReturnType<typeof createBeaconChain>;

/**
 * Returns the answers of a light-client server.
 * @param name of the committees: another one has other keys
 */
export function createBeaconChain(network: BeaconNetwork, readBlock: ReadBlock, name = 'committee') {
  const committeeAt = committees(network, name);
  const slots = new Map<string, { readonly slot: number; readonly block: RpcHeader }>();
  const slotOf = ({ timestamp }: RpcHeader) => slotAt(network, Number(timestamp));

  /** Returns the newest final block up to a slot. */
  const blockBefore = async (slot: number): Promise<RpcHeader> => {
    let block = await readBlock('finalized');
    while (slotOf(block) > slot && Number(block.number) > 0)
      block = await readBlock(Number(block.number) - 1);
    return block;
  };
  const bootstrapAt = (block: RpcHeader, slot: number) => {
    const { committee } = committeeAt(periodOf(network, slot));
    const { currentCommittee } = layout(network, slot);
    const state = treeOf(new Map([[currentCommittee, committeeRoot(committee)]]));
    const header = headerOf(network, block, slot, state.root());
    slots.set(`0x${headerRoot(header.beacon).toString('hex')}`, { slot, block });
    return {
      header,
      current_sync_committee: committee,
      current_sync_committee_branch: state.branch(currentCommittee),
    };
  };
  const updateAt = (block: RpcHeader, slot: number) => {
    const { finalizedRoot, nextCommittee } = layout(network, slot);
    const { committee: next } = committeeAt(periodOf(network, slot) + 1);
    const finalized = bootstrapAt(block, slot).header;
    const state = treeOf(
      new Map([
        [finalizedRoot, headerRoot(finalized.beacon)],
        [nextCommittee, committeeRoot(next)],
      ]),
    );
    const attested = headerOf(network, block, slot, state.root());
    const signatureSlot = slot + 1;
    const signer = committeeAt(periodOf(network, signatureSlot)).key;
    const update: Update = {
      attested_header: attested,
      finalized_header: finalized,
      finality_branch: state.branch(finalizedRoot),
      next_sync_committee: next,
      next_sync_committee_branch: state.branch(nextCommittee),
      sync_aggregate: {
        sync_committee_bits: Buffer.alloc(network.committeeSize / 8, 0xff),
        sync_committee_signature: sign(signer, signingRoot(network, attested.beacon, signatureSlot) ?? ZERO),
      },
      signature_slot: signatureSlot,
    };
    return update;
  };

  return {
    /** Returns the root of the final block. */
    checkpoint: async (): Promise<string> => {
      const block = await readBlock('finalized');
      return `0x${headerRoot(bootstrapAt(block, slotOf(block)).header.beacon).toString('hex')}`;
    },
    bootstrap: (root: string) => {
      const known = slots.get(root);
      return known && bootstrapAt(known.block, known.slot);
    },
    finalityUpdate: async () => {
      const block = await readBlock('finalized');
      const {
        next_sync_committee: _,
        next_sync_committee_branch: __,
        ...update
      } = updateAt(block, slotOf(block));
      return update;
    },
    /** Returns the updates of periods, each from the end of its period or from the final block. */
    updates: async (startPeriod: number, count: number) => {
      const final = slotOf(await readBlock('finalized'));
      const length = network.slotsPerEpoch * network.epochsPerPeriod;
      const last = Math.min(startPeriod + count - 1, periodOf(network, final));
      const updates: Update[] = [];
      for (let period = startPeriod; period <= last; period++) {
        const slot = Math.min((period + 1) * length - 2, final);
        updates.push(updateAt(await blockBefore(slot), slot));
      }
      return updates;
    },
  };
}

function layout(network: BeaconNetwork, slot: number) {
  const found = layoutAt(network, slot);
  if (found) return found;
  throw new Error(`The development chain has a block before the first fork: slot ${slot}.`);
}

interface DevelopmentCommittee {
  readonly committee: Committee;
  /** Signs for all its members. */
  readonly key: DevelopmentKey;
}

function committees({ committeeSize }: BeaconNetwork, name: string) {
  const made = new Map<number, DevelopmentCommittee>();
  return (period: number): DevelopmentCommittee => {
    const known = made.get(period);
    if (known) return known;
    const keys = Array.from({ length: KEYS }, (_, index) => keyOf(`${name} ${period}, key ${index}`));
    const seats = Array.from({ length: committeeSize }, (_, seat) => keys[seat % KEYS] as DevelopmentKey);
    const key = sumOf(keys, committeeSize / KEYS);
    const pubkeys = seats.map(({ publicKey }) => publicKey);
    const entry = { committee: { pubkeys, aggregate_pubkey: key.publicKey }, key };
    made.set(period, entry);
    return entry;
  };
}

function headerOf(network: BeaconNetwork, block: RpcHeader, slot: number, stateRoot: Buffer): Header {
  const { execution: at, hasBlobs } = layout(network, slot);
  const execution = payloadOf(block);
  const body = treeOf(new Map([[at, payloadRoot(execution, hasBlobs) ?? ZERO]]));
  const beacon: BeaconHeader = {
    slot,
    proposer_index: 0,
    parent_root: ZERO,
    state_root: stateRoot,
    body_root: body.root(),
  };
  return { beacon, execution, execution_branch: body.branch(at) };
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
