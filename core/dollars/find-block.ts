import { type Network, upstreamsFor } from '../anchor/network.ts';
import type { Chain } from '../chains/chains.ts';
import type { BlockRef } from '../figures/block.ts';
import { ProofError } from '../proof/encoding/proof-error.ts';
import { proveHeader } from '../proof/header.ts';
import { decodeHeader } from '../proof/json/decode-block.ts';
import type { Rpc } from '../rpc/json-rpc.ts';
import { getRawHeader } from '../rpc/methods.ts';
import { type Ask, firstOf } from './ask.ts';

/** A block that is known to be canonical, one of which only the number is known, or the latest. */
export type ReadAt = BlockRef | number | 'latest';

/** A header that hashes to its hash. */
export interface ReadHeader extends BlockRef {
  readonly timestamp: number;
  readonly stateRoot: string;
}

/** Hosts that must give the same block, where there are as many. */
const SUPPORTERS = 2;

/** Reads a header with a known hash, or else one that hosts support: a proof against a block of one host alone proves nothing. */
export async function findBlock(source: Network, ask: Ask, at: ReadAt): Promise<ReadHeader | undefined> {
  if (typeof at === 'object')
    return firstOf(upstreamsFor(source), (one) =>
      ask(one, (rpc) => readHeader(source.chain, rpc, at.number, at.hash)),
    );
  const heads = at === 'latest' ? await headersAt(source, ask, at) : [];
  const numbers = at === 'latest' ? new Set(heads.map(({ number }) => number)) : [at];
  for (const number of [...numbers].toSorted((a, b) => b - a)) {
    const headers = await headersAt(source, ask, number);
    const supported = headers.find((header) => isSupported(source, header, headers));
    if (supported) return supported;
  }
  return undefined;
}

async function headersAt({ chain, voters }: Network, ask: Ask, at: number | 'latest'): Promise<ReadHeader[]> {
  const read = voters.map(({ upstreams }) =>
    firstOf(upstreams, (one) => ask(one, (rpc) => readHeader(chain, rpc, at))),
  );
  return (await Promise.all(read)).filter((header) => header !== undefined);
}

function isSupported(
  { voters, quorum }: Network,
  { hash }: ReadHeader,
  headers: readonly ReadHeader[],
): boolean {
  const supporters = headers.filter((header) => header.hash === hash).length;
  const needed = Math.max(quorum, Math.min(SUPPORTERS, voters.length));
  return supporters >= needed && supporters > headers.length - supporters;
}

/** @throws ProofError for a header of another block, or one that does not hash to its hash */
async function readHeader(
  { rules }: Chain,
  rpc: Rpc,
  at: number | 'latest',
  known?: string,
): Promise<ReadHeader> {
  const header = decodeHeader(await getRawHeader(rpc, at));
  const hash = proveHeader(header, rules);
  const [number, timestamp] = [Number(header.number), Number(header.timestamp)];
  if (at !== 'latest' && number !== at) throw new ProofError('number', `it is ${number}, not ${at}`);
  if (known !== undefined && hash !== known)
    throw new ProofError('hash', `block ${number} is ${hash}, not ${known}`);
  return { number, hash, timestamp, stateRoot: header.stateRoot };
}
