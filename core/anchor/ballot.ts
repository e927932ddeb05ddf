/** The hosts that agree on an answer. Their names are in the order of their votes. */
export interface Count {
  readonly supporters: readonly string[];
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
export function countVotes<Vote extends { readonly host: { readonly name: string } }>(
  votes: readonly Vote[],
  quorum: number,
  supports: (vote: Vote) => boolean | undefined,
): Count {
  const hostsWith = (stance: boolean): readonly string[] => [
    ...new Set(votes.filter((vote) => supports(vote) === stance).map(({ host }) => host.name)),
  ];
  const [supporters, opponents] = [hostsWith(true), hostsWith(false)];
  const hasQuorum = supporters.length >= quorum;
  return { supporters, opponents, hasQuorum, isSupported: hasQuorum && supporters.length > opponents.length };
}
