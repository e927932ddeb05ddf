import type { AnchoredNetwork } from '../../anchor/network.ts';
import { isRawProvable } from '../../chains/provable.ts';
import type { ValidBlock } from '../../figures/block.ts';
import { policyAt } from '../../figures/day-figures.ts';
import { splitBlock } from '../../proof/raw/raw-body.ts';
import { EndpointError, type FaultKind, quote, UNAVAILABLE_KINDS } from '../../rpc/endpoint.ts';
import type { Attempt, Refused } from '../../rpc/failover.ts';
import { freeBytes } from '../../rpc/http/hex-json.ts';
import type { Rpc } from '../../rpc/json-rpc.ts';
import { getBlockBytes, getReceiptBytes } from '../../rpc/methods.ts';
import { uncountedRpc } from '../../rpc/paced-call.ts';
import type { RawSupport, Upstream } from '../../rpc/upstream.ts';
import { validateRawBlock } from '../validate-block.ts';

/**
 * Every 64th block is read as JSON even where RLP is offered. JSON receipts state prices, which contradict the derived ones once
 * the chain has changed a rule that no hash covers, such as the formula of an L1 fee.
 */
const JSON_EVERY = 64;

/** Returns whether a block may be read as RLP: it then gives the figures that JSON gives. */
const isRawReadable = (
  { chain, evidence }: Pick<AnchoredNetwork, 'chain' | 'evidence'>,
  number: number,
): boolean =>
  policyAt(evidence, number) === 'proven' && number % JSON_EVERY !== 0 && isRawProvable(chain.rules, number);

/** Faults by which an endpoint shows that it lacks the methods. JSON that is too large is read in parts. */
const NOT_OFFERED: ReadonlySet<FaultKind> = new Set(['no method', 'invalid response', 'too large']);

/**
 * Reads a block as RLP, which takes fewer bytes and less time than JSON.
 * @returns undefined when the block must be read as JSON, because the endpoint does not offer RLP or its RLP is not valid
 * @throws EndpointError
 */
export async function readRawBlock(
  network: AnchoredNetwork,
  number: number,
  rpc: Rpc,
  upstream: Upstream,
): Promise<ValidBlock | undefined> {
  if (upstream.endpoint.isJsonOnly || !isRawReadable(network, number)) return undefined;
  upstream.raw ??= probeRawSupport(network, number, upstream);
  if ((await upstream.raw) !== 'offered') return undefined;
  const read = await readRaw(network, number, rpc).catch((error: unknown) => {
    if (error instanceof EndpointError && UNAVAILABLE_KINDS.has(error.kind)) return undefined;
    throw error;
  });
  if (read && 'value' in read) return read.value;
  // One of several nodes behind the same address may lack the methods or the block.
  upstream.raw = Promise.resolve(read ? refuse(network, upstream, read) : 'unclear');
  return undefined;
}

/** Probes an endpoint once. It need not offer RLP, so a refusal is not a fault. */
async function probeRawSupport(
  network: AnchoredNetwork,
  number: number,
  upstream: Upstream,
): Promise<RawSupport> {
  try {
    const read = await readRaw(network, number, uncountedRpc(network.context, upstream));
    if (!read) return 'refused';
    return 'value' in read ? 'offered' : refuse(network, upstream, read);
  } catch (error) {
    // Later runs await the result too, so it must not be the error that ends this run.
    if (error instanceof EndpointError || network.context.signal.aborted) return 'unclear';
    throw error;
  }
}

/** Counts RLP that is not valid. JSON is read from then on, since it may be valid. */
function refuse(
  { context }: AnchoredNetwork,
  { endpoint }: Upstream,
  { refused, fault = 'invalid block' }: Refused,
) {
  context.onFault(endpoint.host, fault, `${endpoint.host}: ${quote(endpoint, refused)}`);
  return 'refused' as const;
}

/**
 * Reads and proves a block as RLP from one endpoint.
 * @returns undefined when the endpoint does not offer it
 * @throws EndpointError when the endpoint does not answer or does not have the block, which says nothing about what it offers
 */
export async function readRaw(
  rules: Pick<AnchoredNetwork, 'chain' | 'feed'>,
  number: number,
  rpc: Rpc,
): Promise<Attempt<ValidBlock> | undefined> {
  try {
    const [block, receipts] = await Promise.all([getBlockBytes(rpc, number), getReceiptBytes(rpc, number)]);
    const read = validateRawBlock(rules, number, () => ({ ...splitBlock(block), receipts }));
    // Geth returns an empty list for receipts that it has pruned.
    const isPruned = 'refused' in read && receipts.length === 0;
    freeBytes([block]);
    freeBytes(receipts);
    return isPruned ? undefined : read;
  } catch (error) {
    if (error instanceof EndpointError && NOT_OFFERED.has(error.kind)) return undefined;
    throw error;
  }
}
