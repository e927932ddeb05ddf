import type { BeaconHeader, Committee, PayloadHeader } from './answers.ts';
import { bytesRoot, hashPair, merkleRoot, shortListRoot, uintLeaf } from './ssz.ts';

/* Roots of the containers of the light-client protocol. https://github.com/ethereum/consensus-specs: specs */

/** Returns the root of a beacon block, which is that of its header. */
export const headerRoot = (header: BeaconHeader): Buffer =>
  merkleRoot([
    uintLeaf(BigInt(header.slot)),
    uintLeaf(BigInt(header.proposer_index)),
    header.parent_root,
    header.state_root,
    header.body_root,
  ]);

export const committeeRoot = ({ pubkeys, aggregate_pubkey }: Committee): Buffer =>
  hashPair(merkleRoot(pubkeys.map(bytesRoot)), bytesRoot(aggregate_pubkey));

/**
 * Returns the root of the header of an execution payload.
 * @param hasBlobs true since Deneb, which added two members for blobs
 * @returns undefined if they are missing
 */
export function payloadRoot(header: PayloadHeader, hasBlobs: boolean): Buffer | undefined {
  const { blob_gas_used: used, excess_blob_gas: excess } = header;
  if (hasBlobs && (used === undefined || excess === undefined)) return undefined;
  return merkleRoot([
    header.parent_hash,
    bytesRoot(header.fee_recipient),
    header.state_root,
    header.receipts_root,
    bytesRoot(header.logs_bloom),
    header.prev_randao,
    uintLeaf(BigInt(header.block_number)),
    uintLeaf(header.gas_limit),
    uintLeaf(header.gas_used),
    uintLeaf(header.timestamp),
    shortListRoot(header.extra_data),
    uintLeaf(header.base_fee_per_gas),
    header.block_hash,
    header.transactions_root,
    header.withdrawals_root,
    ...(hasBlobs && used !== undefined && excess !== undefined ? [uintLeaf(used), uintLeaf(excess)] : []),
  ]);
}
