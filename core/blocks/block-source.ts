import type { Network } from '../anchor/network.ts';
import type { BlockHeader, BlockRef, SummedBlock } from '../figures/block.ts';
import type { PriceSource } from '../figures/dollars.ts';
import type { Fetched, NoEndpoint } from '../rpc/failover.ts';
import type { ChainPosition } from './link-problems.ts';

/** A source gives no next block. */
export interface Broken extends NoEndpoint {
  /** Providers whose blocks continue each other, but not those before them. They may be right. */
  readonly contradictedBy: readonly string[];
  /** Endpoints that refused calls for their rate, and may continue those blocks later. */
  readonly limited?: readonly string[];
  /** Endpoints that did not answer now or lack the next block, so that nobody knows whether they continue those blocks. */
  readonly unheard?: readonly string[];
}

/** A source yields no more blocks: it gave the last requested one, or it does not give the next one. */
export type EndOfBlocks = { readonly kind: 'end reached' } | Broken;

/** Blocks in order, each linked to the one before. */
export type LinkedBlocks = AsyncGenerator<SummedBlock, EndOfBlocks>;

/** One place to read headers from by their number: an endpoint, or all files. */
export interface HeaderReader {
  /** Host in the provenance of days. */
  readonly host: string;
  /** Calls a second that it can sustain. */
  readonly rate: () => number;
  /** @param network has the time limit of the search */
  readonly read: (network: Network, number: number) => Promise<Fetched<BlockHeader>>;
  readonly readKnown: (network: Network, block: BlockRef) => Promise<Fetched<BlockHeader>>;
  /** True where single blocks may be missing or damaged, so that a search goes around them. */
  readonly mayHaveGaps?: true;
}

/** The blocks of a chain, from its nodes or from files. The days of a run are read from one, and do not know which. */
export interface BlockSource {
  /** Times to try a day again after its blocks were discarded: nodes that gave a wrong block are asked last then. */
  readonly retries: number;
  /** Returns the last block to read: the anchor, or an earlier one where files end before it. */
  readonly lastBlock: () => Promise<Fetched<BlockRef>>;
  /** Reads the proven blocks after `start` up to `end`. @param feed the contract whose prices are read */
  readonly blocks: (start: ChainPosition, end: BlockRef, feed?: PriceSource) => LinkedBlocks;
  /** Lists where to search for the start of a day, in this order. */
  readonly headers: () => readonly HeaderReader[];
  /** Reads the header of a block whose hash is known. */
  readonly readKnown: (block: BlockRef) => Promise<Fetched<BlockHeader>>;
}
