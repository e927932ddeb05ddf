import type { BlockHeader, BlockRef, FinalityProof } from '../figures/block.ts';
import { inTime } from '../rpc/deadline.ts';
import { type Fetched, fetched, type NoEndpoint, noEndpoint } from '../rpc/failover.ts';
import type { Upstream } from '../rpc/upstream.ts';
import { type Count, countVotes } from './ballot.ts';
import { type AnchoredNetwork, type Host, type Network, upstreamsFor } from './network.ts';
import { isHashed, readHeader } from './read-header.ts';

/*
 * A run chooses one final block, its anchor, and all else follows from it by hash. If the chain proves which block is final, that is the
 * anchor, whatever hosts report. Otherwise the hosts vote, and the anchor is the only thing that a run takes on trust. Each host has one
 * vote, however many URLs lead to it, and votes with the hash that it gives for a block's number.
 */

/** The answers of the hosts about the block of one number. A null, an error or a timeout is not a vote. */
interface Votes {
  readonly number: number;
  readonly votes: readonly Vote[];
  readonly headers: readonly BlockHeader[];
  readonly reasons: readonly string[];
}

interface Vote {
  readonly host: Host;
  /** The distinct headers that the endpoints of the host gave. */
  readonly headers: readonly BlockHeader[];
}

/** A block with those of its header fields that are known. */
type Voted = BlockRef & Partial<BlockHeader>;

/** `undecided` when no block has both a quorum and a majority. */
export type VoteResult =
  | { readonly kind: 'supported'; readonly hosts: readonly string[] }
  /** Another block of this number is supported. */
  | {
      readonly kind: 'contradicted';
      readonly by: BlockHeader;
      readonly hosts: readonly string[];
      readonly reason: string;
    }
  | { readonly kind: 'undecided'; readonly reason: string };

/** Hosts contradict each other, and none outvotes the rest: a later run may find them in agreement. */
export type Disputed = { readonly kind: 'disputed'; readonly reason: string };
export const disputed = (reason: string): Disputed => ({ kind: 'disputed', reason });

/** The endpoints of a chain, with the anchor. */
export type Probed = { readonly kind: 'probed'; readonly network: AnchoredNetwork };

/** Finds the newest block that at least `quorum` hosts support and fewer contradict. */
export async function findAnchor(network: Network): Promise<Probed | Disputed | NoEndpoint> {
  const { chain, hosts, quorum } = network;
  const numbers = new Set(hosts.flatMap(({ head }) => head?.number ?? []));
  const undecided: Votes[] = [];
  let isDisputed = false;
  for (const number of [...numbers].toSorted((a, b) => b - a)) {
    if (hosts.filter((host) => mayCallFinal(host, number)).length < quorum) continue;
    const votes = await pollHosts(network, number);
    for (const header of votes.headers) {
      const { supporters: hosts, opponents, isSupported } = countFor(votes, header, quorum);
      isDisputed ||= opponents.length > 0;
      if (!isSupported) continue;
      const anchor = { ...header, hosts, ...(opponents.length > 0 && { opponents }) };
      return { kind: 'probed', network: { ...network, anchor } };
    }
    undecided.push(votes);
  }
  const reason = `${chain.name} has no anchor: ${quorum === 1 ? 'a host' : `${quorum} hosts`} must call a block final. ${describeHeads(network)}`;
  if (!isDisputed) {
    const reasons = [...new Set(undecided.flatMap((votes) => votes.reasons))];
    return noEndpoint(`the final block of ${chain.name}`, [reason, ...reasons]);
  }
  return disputed(
    `${reason}. ${undecided.map(describeVotes).join(' ')} If this persists, remove the faulty one.`,
  );
}

/** A block that the chain itself proves to be final. */
export interface FinalBlock {
  readonly kind: 'proven';
  readonly hash: string;
  readonly number: number;
  readonly proof: FinalityProof;
}

/**
 * Makes a block that is proven to be final the anchor, and leaves out the hosts that report another one. Its header is read from every
 * host, and must hash to its hash, whatever the policy: otherwise a host could give the proven hash to another block.
 */
export async function findProvenAnchor(
  network: Network,
  { hash, number, proof }: FinalBlock,
): Promise<Probed | NoEndpoint> {
  const { chain, context } = network;
  const polled = await pollHosts({ ...network, evidence: 'proven' }, number);
  const { votes, reasons } = polled;
  const right = votes.filter(({ headers }) => headers.every((header) => header.hash === hash));
  for (const { host, headers } of votes.filter((vote) => !right.includes(vote))) {
    const wrong = headers.flatMap((header) => (header.hash === hash ? [] : [header.hash]));
    const problem = `${chain.name} block ${number} is proven to be ${hash}, and not ${wrong.join(' or ')}`;
    context.onFault(host.name, 'not canonical', `${host.name}: ${problem}`);
  }
  const supporting = right.filter(({ headers }) => headers.length > 0);
  const header = supporting[0]?.headers[0];
  if (!header)
    return noEndpoint(
      `block ${number} of ${chain.name}, which is proven to be ${hash}`,
      reasons.length > 0 ? reasons : [describeVotes(polled)],
    );
  const anchor = { ...header, proof, hosts: supporting.map(({ host }) => host.name).toSorted() };
  return { kind: 'probed', network: { ...network, hosts: right.map(({ host }) => host), anchor } };
}

/** Asks the hosts whether a block is canonical. */
export async function voteOn(network: Network, block: Voted): Promise<VoteResult> {
  const votes = await pollHosts(network, block.number);
  const { supporters, isSupported } = countFor(votes, block, network.quorum);
  if (isSupported) return { kind: 'supported', hosts: supporters };
  const reason = [describeVotes(votes).slice(0, -1), ...votes.reasons].join('. ');
  for (const by of votes.headers) {
    const other = countFor(votes, by, network.quorum);
    if (other.isSupported && !isSame(by, block))
      return { kind: 'contradicted', by, hosts: other.supporters, reason };
  }
  return { kind: 'undecided', reason };
}

/** Reads the header of a block with a known hash. Where that does not cover parent and time, the hosts decide about them. */
export async function readKnownHeader(
  network: Network,
  { number, hash }: BlockRef,
  upstreams = upstreamsFor(network),
): Promise<Fetched<BlockHeader>> {
  const read = await readHeader(network, number, upstreams, hash);
  if (read.kind === 'no endpoint' || isHashed(network, number)) return read;
  const vote = await voteOn(network, read.value);
  if (vote.kind === 'contradicted' && vote.by.hash === hash) return fetched(vote.by);
  if (vote.kind === 'supported') return read;
  return noEndpoint(`${network.chain.name} block ${number}`, [vote.reason]);
}

/** Reads the block of a number from every endpoint. */
async function pollHosts(network: Network, number: number): Promise<Votes> {
  const reasons: string[] = [];
  const poll = async (host: Host, upstream: Upstream) => {
    const read = await readHeader(network, number, [upstream]);
    if (read.kind === 'fetched') return { host, header: read.value };
    reasons.push(...read.reasons);
    return { host };
  };
  const polls = network.hosts.flatMap((host) => host.upstreams.map((upstream) => poll(host, upstream)));
  const answers = await inTime(
    network.context,
    polls,
    // A host supports no block after its final one, and none if it contradicts its own. Such an answer does not shorten the wait.
    ({ host, header }) =>
      header && mayCallFinal(host, number) && (host.head?.number !== number || isSame(host.head, header))
        ? { host: host.name, says: `${header.hash} ${header.parentHash} ${header.timestamp}` }
        : undefined,
    network.quorum,
  );
  const votes = network.hosts.map((host): Vote => {
    const given = answers.flatMap((answer) => (answer?.host === host && answer.header) || []);
    // Its final block counts as an answer too: a host may not report another block of that number.
    const headers = given.length > 0 && host.head?.number === number ? [host.head, ...given] : given;
    const isNew = (header: BlockHeader, index: number) =>
      headers.findIndex((other) => isSame(other, header)) === index;
    return { host, headers: headers.filter(isNew) };
  });
  return { number, votes, headers: votes.flatMap(({ headers }) => headers), reasons };
}

/** A host whose final block is ignored, because it is in the future, may support any block. */
const mayCallFinal = ({ head }: Host, number: number): boolean => head === undefined || head.number >= number;

/** The hash covers parent and time, except in blocks that cannot be proven. */
const isSame = (header: BlockHeader, { hash, parentHash, timestamp }: Voted): boolean =>
  header.hash === hash &&
  (parentHash === undefined || header.parentHash === parentHash) &&
  (timestamp === undefined || header.timestamp === timestamp);

/** A final block that is later in time but lower in number is on another fork. */
const isOnOtherFork = ({ head }: Host, { number, timestamp }: Voted): boolean =>
  head !== undefined && timestamp !== undefined && head.number < number && head.timestamp > timestamp;

/** Counts the hosts that support a block and those that contradict it. Their names are sorted. */
const countFor = ({ votes }: Votes, block: Voted, quorum: number): Count =>
  countVotes(
    votes.toSorted((a, b) => (a.host.name < b.host.name ? -1 : 1)),
    quorum,
    ({ host, headers }) => {
      if (isOnOtherFork(host, block) || headers.some((header) => !isSame(header, block))) return false;
      // A host that gives two headers that fit supports neither.
      return (headers.length === 1 && mayCallFinal(host, block.number)) || undefined;
    },
  );

export const describeHeads = ({ hosts }: Network): string =>
  hosts
    .map(({ name, head }) => `${name} calls ${head ? `block ${head.number}` : 'a future block'} final`)
    .join(', ');

const describeVotes = ({ number, votes }: Votes): string => {
  const answers = votes.flatMap(({ host: { name }, headers }) =>
    headers.map(({ hash }) => `${name} reports ${hash}`),
  );
  return `Block ${number}: ${answers.join(', ') || 'no host has it'}.`;
};
