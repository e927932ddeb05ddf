import type { ArchiveOrigin, Provenance } from '#core/figures/day-figures.ts';
import { provenance } from '#test/support/generators/blocks/builders.ts';

export const archiveOrigin = (given: Partial<ArchiveOrigin> = {}): ArchiveOrigin => ({
  name: 'dune',
  file_sha256: 'ab'.repeat(32),
  query_sha256: 'cd'.repeat(32),
  audit: {
    audited_at: '2026-11-20T08:00:00.000Z',
    ranges_compared: 300,
    ranges: 60_000,
    statement: '300 of 300 ranges drawn from 60,000 were equal.',
  },
  ...given,
});

export const archivedProvenance = (
  archive = archiveOrigin(),
): Provenance & { readonly archive: ArchiveOrigin } => ({
  ...provenance(),
  evidence: 'archived',
  provenBlocks: 0,
  archive,
});
