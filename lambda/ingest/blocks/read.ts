import type { BlockHeader, SeenBlock } from '../../chains/block.ts';
import { loadKeccak } from '../../proof/keccak.ts';
import type { Rpc } from '../../rpc/json-rpc.ts';
import { getBlock, getHeader, getReceipts } from '../../rpc/methods.ts';
import { type Attempt, type Fetched, requestWithRetry } from '../../rpc/retry.ts';
import type { Upstream } from '../../rpc/upstream.ts';
import { type Source, upstreamsFor } from '../endpoints.ts';
import { readRawBlock } from './raw.ts';
import { withRawStateSync } from './state-sync.ts';
import { type ValidBlock, validateBlock } from './validate.ts';

/** A valid block with the host of the endpoint that gave it. */
export interface SummedBlock extends ValidBlock, SeenBlock {}

/** Reads one block from the first endpoint that gives a valid one, as RLP where it is offered. */
export const readBlock = (source: Source, number: number): Promise<Fetched<SummedBlock>> =>
  requestWithRetry(
    source.context,
    upstreamsFor(source, number),
    `${source.chain.name} block ${number}`,
    async (rpc, upstream) => {
      const { host } = upstream.endpoint;
      const valid = await readRawBlock(source, number, rpc, upstream);
      return valid ? { value: { ...valid, host } } : readBlockFrom(source, number, rpc, host);
    },
  );

/**
 * Reads one block from one endpoint as JSON, with two calls, or three where it has a Polygon state-sync transaction.
 * @throws EndpointError
 */
export async function readBlockFrom(
  rules: Pick<Source, 'chain' | 'evidence'>,
  number: number,
  rpc: Rpc,
  host: string,
): Promise<Attempt<SummedBlock>> {
  await loadKeccak();
  const answer = getBlock(rpc, number);
  const [block, receipts] = await Promise.all([
    answer.then((block) => withRawStateSync(rules.chain, rpc, number, block)),
    number === 0 ? answer.then((genesis) => receiptsOfGenesis(rpc, genesis)) : getReceipts(rpc, number),
  ]);
  const valid = validateBlock(rules, number, block, receipts);
  return 'refused' in valid ? valid : { value: { ...valid.value, host } };
}

/** Some nodes answer with an error when asked for the receipts of an empty genesis block. */
async function receiptsOfGenesis(rpc: Rpc, genesis: unknown): Promise<unknown> {
  const { transactions } = genesis as { readonly transactions?: unknown };
  return Array.isArray(transactions) && transactions.length > 0 ? getReceipts(rpc, 0) : [];
}

/**
 * Reads a header alone.
 * @param from the endpoints to try; all to which the block is final by default
 * @param problemOf returns why a header is not acceptable
 */
export const readHeader = (
  source: Source,
  number: number,
  {
    from = upstreamsFor(source, number),
    problemOf = () => undefined,
  }: {
    readonly from?: readonly Upstream[];
    readonly problemOf?: (header: BlockHeader) => string | undefined;
  },
): Promise<Fetched<BlockHeader & SeenBlock>> =>
  requestWithRetry(
    source.context,
    from,
    `${source.chain.name} block ${number}`,
    async (rpc, { endpoint: { host } }) => {
      const header = await getHeader(rpc, source, number);
      if ('refused' in header) return header;
      const refused = problemOf(header.value);
      return refused === undefined ? { value: { ...header.value, host } } : { refused };
    },
  );
