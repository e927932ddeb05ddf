import type { FullRow } from '../data/api-client.ts';

/** States the block that the day follows, and why its last block is final. */
export function FinalityFacts({ row: { parent_hash, finality } }: { readonly row: FullRow }) {
  if (!finality) return null;
  return (
    <p class="muted">
      {parent_hash && (
        <>
          Follows <Hash hash={parent_hash} />.{' '}
        </>
      )}
      <Proof finality={finality} />
    </p>
  );
}

function Proof({ finality }: { readonly finality: NonNullable<FullRow['finality']> }) {
  switch (finality.kind) {
    case 'sync committee':
      return (
        <>
          Final by Ethereum’s sync committee: slot {finality.slot.toLocaleString('en')}, beacon block{' '}
          <Hash hash={finality.root} />.
        </>
      );
    case 'fast finality':
      return (
        <>
          Final by the votes of BSC’s validators for block {finality.source.number.toLocaleString('en')}{' '}
          <Hash hash={finality.source.hash} />.
        </>
      );
    case 'reported':
      return <>{`Called final by ${finality.hosts.join(', ') || 'a node whose name was not kept'}.`}</>;
  }
}

export const Hash = ({ hash }: { readonly hash: string }) => (
  <code title={hash}>
    {hash.slice(0, 10)}…{hash.slice(-6)}
  </code>
);
