import * as z from 'zod/mini';
import { type RuleSpan, rulesKey } from '../../chains/rules-key.ts';
import { startOfDay } from '../../figures/calendar.ts';
import { DEFINITION_VERSION } from '../../figures/day-figures.ts';
import { DISTRIBUTION_VERSION } from '../../figures/fee-buckets.ts';
import { MEASURES_VERSION } from '../../figures/measures.ts';
import type { DayProgress } from '../../figures/progress.ts';
import {
  blockRefShape,
  integer,
  optionalInteger,
  totalsFromAttributes,
  totalsShape,
  totalsToAttributes,
} from '../attributes/shared-attributes.ts';
import { dayOfKey } from '../table/keys.ts';
import type { ChainReader, Item } from '../table/table.ts';
import { detailsOf, detailsShape, toDetailAttributes } from './details.ts';

/* The progress of a day in checkpoints and waiting days. */

/** Days whose progress has other versions of the measures start over. */
const MEASURE_VERSIONS = `${MEASURES_VERSION} ${DISTRIBUTION_VERSION}`;

const progressSchema = z.object({
  parent_hash: z.string(),
  first_block: z.optional(z.object(blockRefShape)),
  last_block: z.optional(z.object({ ...blockRefShape, host: z.optional(z.string()) })),
  not_before: integer,
  endpoint_hosts: z.array(z.string()),
  proven_blocks: integer,
  price_to_compare: optionalInteger,
  rules: z.string(),
  measure_versions: z.literal(MEASURE_VERSIONS),
  ...detailsShape,
  ...totalsShape,
});

type OfChain = Pick<ChainReader, 'rules'>;

/** Returns progress as attributes, with a name of the rules that its sums follow. */
export const toProgressAttributes = ({ rules }: OfChain, progress: DayProgress): Item => ({
  rules: rulesKey(rules, spanOf(progress)),
  measure_versions: MEASURE_VERSIONS,
  parent_hash: progress.parentHash,
  first_block: progress.first,
  last_block: progress.last,
  not_before: progress.notBefore,
  endpoint_hosts: progress.hosts,
  proven_blocks: progress.provenBlocks,
  price_to_compare: progress.priceToCompare,
  ...totalsToAttributes(progress.totals),
  ...toDetailAttributes(progress),
});

/** Returns the blocks from midnight on, because progress does not keep the time of the day's first block. */
const spanOf = ({ day, first, last, notBefore }: DayProgress): RuleSpan => ({
  first: first?.number ?? 0,
  last: first && last ? last.number : 0,
  from: startOfDay(day),
  until: notBefore,
});

/** The attributes of an item with progress. */
export const savedShape = {
  date: z.string(),
  definition_version: integer,
  progress: z.optional(z.unknown()),
};

/** Decodes progress. Returns undefined if another version saved it in another form or under other rules. The day then starts over. */
export function decodeProgress(
  { rules }: OfChain,
  { date, definition_version, progress: saved }: z.output<z.ZodMiniObject<typeof savedShape>>,
): DayProgress | undefined {
  const { data } = progressSchema.safeParse(saved);
  if (!data || definition_version !== DEFINITION_VERSION) return undefined;
  const progress: DayProgress = {
    day: dayOfKey(date),
    parentHash: data.parent_hash,
    first: data.first_block,
    last: data.last_block,
    notBefore: data.not_before,
    totals: totalsFromAttributes(data),
    ...detailsOf(data),
    hosts: data.endpoint_hosts,
    provenBlocks: data.proven_blocks,
    priceToCompare: data.price_to_compare,
  };
  return data.rules === rulesKey(rules, spanOf(progress)) ? progress : undefined;
}
