import type { KnownBlock } from '../chains/block.ts';
import { crossCheck } from '../ingest/blocks/cross-check.ts';
import { readHeader } from '../ingest/blocks/read.ts';
import type { Source } from '../ingest/endpoints.ts';

/** The answer of the endpoints about the last hash of a file. */
export type Confirmation =
  | { readonly kind: 'confirmed'; readonly hosts: readonly string[] }
  /** Endpoints agree on another hash. */
  | { readonly kind: 'foreign'; readonly reason: string }
  /** No two endpoints have the block for now; the next file may tie this one. */
  | { readonly kind: 'unconfirmed'; readonly reason: string };

/**
 * Asks endpoints for the hash of a file's last block: the one fact that is taken on trust, as for the last block of a day.
 * All blocks of the file follow from it.
 */
export async function confirmLastBlock(source: Source, last: KnownBlock): Promise<Confirmation> {
  const { number, hash } = last;
  if (number > source.head.number) return { kind: 'unconfirmed', reason: `block ${number} is not final yet` };
  const read = await readHeader(source, number, {});
  if (read.kind === 'no endpoint') return { kind: 'unconfirmed', reason: read.reason };
  const checked = await crossCheck(source, read.value);
  if (checked.kind !== 'canonical') {
    const reason = 'reason' in checked ? checked.reason : `no second endpoint confirms block ${number}`;
    return { kind: 'unconfirmed', reason };
  }
  if (read.value.hash === hash) {
    return { kind: 'confirmed', hosts: [...new Set([read.value.host, ...checked.hosts])].toSorted() };
  }
  return {
    kind: 'foreign',
    reason: `it is not of this chain: its block ${number} is ${hash}, and ${read.value.host} reports ${read.value.hash}`,
  };
}
