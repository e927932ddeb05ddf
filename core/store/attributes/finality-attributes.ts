import * as z from 'zod/mini';
import { type Finality, reportedBy } from '../../figures/block.ts';
import { blockRefShape, integer } from './shared-attributes.ts';

/* The reason why a day is final: hosts in `confirmed_by`, or evidence of the chain in `links_to`, whose kind follows from its members. */

// Lazy, because few days have it, and a schema takes time in the cold start of a query function.
const linksTo = z.lazy(() =>
  z.union([
    z.strictObject({ slot: integer, root: z.string() }),
    z.strictObject({ source: z.object(blockRefShape), target: z.object(blockRefShape) }),
  ]),
);

/** Absent if only hosts reported that the day is final. */
export const linksToShape = { links_to: z.optional(linksTo) };

export interface FinalityAttributes {
  readonly confirmed_by: readonly string[];
  readonly links_to?: z.output<typeof linksTo> | undefined;
}

export function toFinalityAttributes(finality: Finality): FinalityAttributes {
  if (finality.kind === 'reported') return { confirmed_by: finality.hosts };
  const { kind: _, ...links_to } = finality;
  return { confirmed_by: [], links_to };
}

export function finalityOf({ confirmed_by, links_to }: FinalityAttributes): Finality {
  if (!links_to) return reportedBy(confirmed_by);
  return 'slot' in links_to
    ? { kind: 'sync committee', ...links_to }
    : { kind: 'fast finality', ...links_to };
}
