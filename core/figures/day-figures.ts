import type { BlockRef, Finality } from './block.ts';
import type { UtcDay } from './calendar.ts';
import type { DollarSums } from './dollars.ts';
import type { FeeCounts } from './fee-buckets.ts';
import type { Totals } from './totals.ts';

/** The archive of an `archived` day, and the audit of the file that it came in. */
export interface ArchiveOrigin {
  readonly name: string;
  readonly file_sha256: string;
  /** Absent if the operator did not give the query. */
  readonly query_sha256?: string | undefined;
  /** The result of comparing the file with proven blocks. */
  readonly audit: {
    /** ISO 8601. */
    readonly audited_at: string;
    readonly ranges_compared: number;
    /** The ranges of blocks in the file. */
    readonly ranges: number;
    /** The sentence that the audit supports. */
    readonly statement: string;
  };
  /** ISO 8601; set once a proof has contradicted a day of the file. */
  readonly void_since?: string | undefined;
}

/** The final figures of one UTC day of a chain. They follow from its blocks alone. */
export interface DayFigures {
  readonly day: UtcDay;
  readonly totals: Totals;
  /** Hash of the last block before the day. */
  readonly parentHash: string;
  /** Absent on a day without blocks. */
  readonly first?: BlockRef | undefined;
  /** The chain's last block before the next midnight; the next day's blocks follow it. */
  readonly last: BlockRef;
  readonly definitionVersion: number;
}

/** The origin of a day's figures, which is stored with them. Equal figures may have different origins. */
export interface Provenance {
  readonly softwareVersion: string;
  readonly ingestedAt: Date;
  /** Hosts of the endpoints that returned the blocks, sorted. */
  readonly hosts: readonly string[];
  readonly evidence: Evidence;
  /** Blocks whose figures follow from their hash. */
  readonly provenBlocks: number;
  /** The reason why its last block is final. */
  readonly finality: Finality;
  /** Only of an archived day. */
  readonly archive?: ArchiveOrigin | undefined;
}

/** Details of a day, which are stored apart from its figures and follow from the same blocks. */
export interface DayDetails {
  /** The totals of each hour (UTC), 24 of them. */
  readonly hours: readonly Totals[];
  readonly feeCounts: FeeCounts;
  /** The fees in dollars; absent if no contract was known to record prices. */
  readonly dollars?: DollarSums | undefined;
}

/** A request to replace a final day on purpose. The reason and the time identify it, so that repeating it is idempotent. */
export interface Restatement {
  /** Up to `MAX_REASON_LENGTH`. */
  readonly reason: string;
  /** ISO 8601. */
  readonly requestedAt: string;
  /** Set by `restate --rpc-url`. Only runs for this one day work on it, because they read the operator's endpoints. */
  readonly isByHand?: boolean | undefined;
}

/**
 * The public name of an endpoint: a host name or an address, perhaps a port, and `#2` and so on if endpoints share a host. The pattern
 * excludes hosts such as `=1+1`, which a spreadsheet would run as a formula.
 */
export const HOST_PATTERN = /^(?=.{1,300}$)(\[[\da-f:.]+\]|\w[\w.-]*)(:\d{1,5})?(#\d+)?$/i;

/** In UTF-16 units. EventBridge refuses events above 256 KB, and one that is refused would hold back all later events. */
export const MAX_REASON_LENGTH = 500;

/** Cuts a reason to `MAX_REASON_LENGTH`. If this splits a surrogate pair, the half becomes U+FFFD, so that the text stays valid. */
export const cutReason = (reason: string): string => reason.slice(0, MAX_REASON_LENGTH).toWellFormed();

/**
 * The evidence for a day's figures. `proven`: every block was recomputed from data that hashes to the finalized block.
 * `checked`: at least one block could not be, and passed consistency checks alone, or a price may follow an unknown rule. `archived`: the day is
 * a row of a public archive, whose file was audited (docs/definitions.md). The strongest comes first.
 */
export const evidences = ['proven', 'checked', 'archived'] as const;

export type Evidence = (typeof evidences)[number];

export const weakestEvidence = (all: readonly Evidence[]): Evidence =>
  evidences.findLast((one) => all.includes(one)) ?? 'proven';

/** Returns whether evidence is at least as strong as another; any is without one. */
export const isAsStrong = (evidence: Evidence, least: Evidence = 'archived'): boolean =>
  evidences.indexOf(evidence) <= evidences.indexOf(least);

/** The evidence that a block may have, which a stage or a query may demand. */
export const blockEvidences = ['proven', 'checked'] as const;

export type BlockEvidence = (typeof blockEvidences)[number];

/**
 * The evidence that a chain's blocks must have. `checked` also accepts blocks that cannot be proven, and `checked from 25000000` accepts
 * them from this block on, even if they follow unknown rules.
 */
export type EvidencePolicy = BlockEvidence | `checked from ${number}`;

/** The policies of chains that prove their final blocks: trust only that proof, or only the reports of hosts. */
export const finalityPolicies = ['proven', 'reported'] as const;

const CHECKED_FROM = /^checked from (\d{1,12})$/;

export const isEvidencePolicy = (value: unknown): value is EvidencePolicy =>
  typeof value === 'string' && (blockEvidences.some((one) => one === value) || CHECKED_FROM.test(value));

/** Lists the values of a policy in messages. */
export const EVIDENCE_POLICIES = `${blockEvidences.join(', ')}, or checked from a block, such as checked from 25000000`;

/** Returns the evidence that one block must have. `stated` believes receipts even if we do not know the block's rules. */
export function policyAt(policy: EvidencePolicy, number: number): BlockEvidence | 'stated' {
  const [, from] = CHECKED_FROM.exec(policy) ?? [];
  if (from === undefined) return policy as BlockEvidence;
  return number >= Number(from) ? 'stated' : 'proven';
}

/**
 * Version of the definitions in docs/definitions.md: which transactions count, and the parts of a fee. Increase it when a
 * rule changes, so that figures with different meanings are never mixed.
 */
export const DEFINITION_VERSION = 1;
