/** An answer of a host to a question that several are asked. */
interface Vote {
  readonly host: { readonly name: string };
}

/** How many hosts agree on an answer. */
export interface Count {
  /** Names of the hosts that give this answer, in the order of the votes. */
  readonly supporters: readonly string[];
  /** Names of those that contradict it. */
  readonly opponents: readonly string[];
  readonly hasQuorum: boolean;
  /** True with a quorum, and more supporters than opponents. */
  readonly isSupported: boolean;
}

/**
 * Counts the votes on one answer. A host has one, however many of its endpoints answer.
 * @param quorum how many hosts must support the answer
 * @param supports true for a vote that supports the answer, false for one that contradicts it, undefined for one that does neither
 */
export function countVotes<V extends Vote>(
  votes: readonly V[],
  quorum: number,
  supports: (vote: V) => boolean | undefined,
): Count {
  const hostsWith = (stance: boolean): readonly string[] => [
    ...new Set(votes.filter((vote) => supports(vote) === stance).map(({ host }) => host.name)),
  ];
  const [supporters, opponents] = [hostsWith(true), hostsWith(false)];
  const hasQuorum = supporters.length >= quorum;
  return { supporters, opponents, hasQuorum, isSupported: hasQuorum && supporters.length > opponents.length };
}
