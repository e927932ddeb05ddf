import * as z from 'zod/mini';
import { chainSchema } from '../lambda/api/chain-input.ts';
import { daySchema } from '../lambda/api/query.ts';
import { blockSchema, count, optionalText, text, time } from './field-schemas.ts';
import { described, registry } from './registry.ts';
import { definitionVersion, evidenceSchema, finalitySchema, sums, typicalFees } from './row-schemas.ts';

export const TODAY =
  'The sums of the running day, from midnight (UTC) through the last final block that was read; of one chain as an object, of several as a list. ' +
  'Where the chain proves its finality (`finality`), they only grow. On other chains, blocks that the hosts contradict are discarded, so that ' +
  'they may fall. They begin again after an update of the service with other rules. There is no `fees_usd`: the prices of a day are known after it.';

const hourName = () => z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}$/));

const hourSchema = z
  .object({ date: described(hourName(), 'The hour (UTC), such as `2026-11-28T13`.'), ...sums })
  .register(registry, {
    id: 'TodayHour',
    description: 'An hour that is over, and whose blocks are all final.',
  });

const lastHoursSchema = z
  .object({
    first_hour: described(hourName(), 'The first of the hours (UTC).'),
    last_hour: described(hourName(), 'The last one, 23 hours later.'),
    ...sums,
    evidence: evidenceSchema,
  })
  .register(registry, {
    id: 'Last24Hours',
    description:
      'The sums of the last 24 hours that are over and final. Absent while one of them is not known.',
  });

const throughSchema = z
  .object({
    number: count('The number of the block.'),
    hash: text('The hash of the block.'),
    time: time('The time of the block (UTC).'),
  })
  .register(registry, { id: 'Through', description: 'The last counted block, which is final.' });

const optionalFields = <Shape extends Record<string, z.ZodMiniType>>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, z.optional(schema)]));

z.object({
  chain: chainSchema,
  date: described(z.clone(daySchema), 'Today (UTC).'),
  through: z.optional(throughSchema),
  ...optionalFields(sums),
  ...typicalFees,
  first_block: z.optional(blockSchema),
  parent_hash: optionalText('The hash of the last block before the day.'),
  evidence: z.optional(evidenceSchema),
  finality: z.optional(finalitySchema),
  definition_version: z.optional(definitionVersion),
  seconds_behind: z.optional(
    count('Seconds from `through` to the newest final block that the ingest knew when it counted that one.'),
  ),
  hours: described(z.optional(z.array(hourSchema)), 'The hours of the day that are over and final.'),
  last_24_hours: z.optional(lastHoursSchema),
}).register(registry, {
  id: 'Today',
  description:
    'The running day of a chain, from midnight (UTC) through its last final block. Until there is one, it has none of the sums.',
});
