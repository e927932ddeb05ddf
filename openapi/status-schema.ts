import * as z from 'zod/mini';
import { chainNames, chainOf } from '../core/chains/chains.ts';
import { chainSchema } from '../lambda/api/chain-input.ts';
import { daySchema } from '../lambda/api/query.ts';
import { blockSchema, count, natural, nullable, text, time } from './field-schemas.ts';
import { described, registry } from './registry.ts';

export const coins = [...new Set(chainNames.map((name) => chainOf(name).coin))];

z.object({
  chain: chainSchema,
  name: text('The name for people.'),
  chain_id: count('The chain ID (EIP-155).'),
  coin: described(z.enum(coins), 'The coin of the fees.'),
  first_day: daySchema,
  first_final_day: nullable(daySchema, 'The first final day.'),
  last_final_day: nullable(daySchema, 'The last final day.'),
  missing_days: nullable(
    natural(),
    "The number of days without a figure, from the first final day or the ingest's first day, whichever is earlier, to " +
      'yesterday (UTC).',
  ),
  waiting_days: nullable(
    natural(),
    'The number of days of which every block is read, and that become final once the day after them is. They have no figure yet. ' +
      'Null if the service cannot read the state of the chain.',
  ),
  days_by_evidence: nullable(
    z.object({ proven: natural(), checked: natural(), archived: z.optional(natural()) }),
    'The number of days with each evidence. Without archived days, `archived` is absent.',
  ),
  last_final_at: nullable(z.iso.datetime(), 'The time at which the last final day became final (UTC).'),
  seconds_behind: nullable(
    natural(),
    'Seconds from the newest counted block to the finalized block that the ingest saw last. Null if no run has measured ' +
      'it in the last hour.',
  ),
  proven_block: nullable(
    blockSchema,
    'The newest block that the chain itself proves to be final. Null where only nodes report it.',
  ),
  scheduled: described(
    z.array(
      z.object({
        name: nullable(
          text('The name that the host gives.'),
          'The name that the host gives the fork, or its number of blobs; null if it gives none.',
        ),
        at: time('The time at which it begins (UTC).'),
        host: text('The host that says so.'),
        followed: described(z.boolean(), 'True if this version follows it.'),
      }),
    ),
    'The forks that hosts say are scheduled. Each is the word of one host, and changes no figure.',
  ),
  conflicts: described(
    z.array(
      z.object({
        date: nullable(daySchema, 'The day whose figures may be wrong; null where it concerns no day.'),
        since: time('When it began (UTC).'),
      }),
    ),
    'Open contradictions between final days and nodes, disputes about the final block, and missing proofs of finality.',
  ),
  sample: described(
    z.optional(z.boolean()),
    'True for a development chain of `npm start`, whose figures are invented. Else absent.',
  ),
}).register(registry, {
  id: 'ChainStatus',
  description: 'A chain and the state of its data. A field without a known value is null.',
});
