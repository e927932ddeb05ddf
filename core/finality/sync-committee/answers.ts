import * as z from 'zod/mini';

/*
 * The answers of light-client servers as JSON. Integers are decimal, bytes are hex.
 * https://github.com/ethereum/beacon-APIs: apis/beacon/light_client
 */

const hex = (pattern: RegExp) =>
  z.pipe(
    z.string().check(z.regex(pattern)),
    z.transform((text): Buffer => Buffer.from(text.slice(2), 'hex')),
  );
const bytes = (length: number) => hex(new RegExp(`^0x[0-9a-f]{${2 * length}}$`, 'i'));
const root = bytes(32);

/** A slot or an index. A number holds 15 digits exactly. */
const count = z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number));
const uint = (bits: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,78}$/)),
    z.pipe(
      z.transform((digits: string) => BigInt(digits)),
      z.bigint().check(z.maximum(2n ** BigInt(bits) - 1n)),
    ),
  );

const MAX_BRANCH = 16;
const branch = z.array(root).check(z.maxLength(MAX_BRANCH));

// Roots take the members of a header in the order of its schema, which is that of the protocol.
const beaconHeader = z.object({
  slot: count,
  proposer_index: count,
  parent_root: root,
  state_root: root,
  body_root: root,
});

const payloadHeader = z.object({
  parent_hash: root,
  fee_recipient: bytes(20),
  state_root: root,
  receipts_root: root,
  logs_bloom: bytes(256),
  prev_randao: root,
  block_number: count,
  gas_limit: uint(64),
  gas_used: uint(64),
  timestamp: uint(64),
  extra_data: hex(/^0x([0-9a-f]{2}){0,32}$/i),
  base_fee_per_gas: uint(256),
  block_hash: root,
  transactions_root: root,
  withdrawals_root: root,
  blob_gas_used: z.optional(uint(64)),
  excess_blob_gas: z.optional(uint(64)),
});

const header = z.object({
  beacon: beaconHeader,
  execution: z.optional(payloadHeader),
  /** Replaces `execution` since Gloas. */
  execution_block_hash: z.optional(root),
  execution_branch: branch,
});

/** No network has larger committees. */
const MAX_COMMITTEE = 512;
const committee = z.object({
  pubkeys: z.array(bytes(48)).check(z.maxLength(MAX_COMMITTEE)),
  aggregate_pubkey: bytes(48),
});

const data = <Schema extends z.ZodMiniType>(schema: Schema) => z.object({ data: schema });

/** `bootstrap/{block_root}` */
export const bootstrapAnswer = data(
  z.object({ header, current_sync_committee: committee, current_sync_committee_branch: branch }),
);

/** `finality_update`, and each element of `updates`, which also has the next committee. */
export const updateAnswer = data(
  z.object({
    attested_header: header,
    next_sync_committee: z.optional(committee),
    next_sync_committee_branch: z.optional(branch),
    finalized_header: header,
    finality_branch: branch,
    sync_aggregate: z.object({
      sync_committee_bits: hex(/^0x([0-9a-f]{2}){1,64}$/i),
      sync_committee_signature: bytes(96),
    }),
    signature_slot: count,
  }),
);

export type BeaconHeader = z.output<typeof beaconHeader>;
export type PayloadHeader = z.output<typeof payloadHeader>;
export type Header = z.output<typeof header>;
export type Committee = z.output<typeof committee>;
export type Update = z.output<typeof updateAnswer>['data'];
