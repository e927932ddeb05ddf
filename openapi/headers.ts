import { chainNames, chainOf } from '../lambda/chains/chains.ts';
import { exampleDays, exampleQuery } from './figures.ts';
import { refTo } from './schemas.ts';

const coins = new Set(chainNames.map((name) => chainOf(name).coin));

/** The headers of what goes well, by their names. */
export const headers = {
  'X-Days-Missing': {
    description:
      "Days of the range, from the chain's first day to yesterday (UTC), that have no final figure and so no row.",
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
  'X-Data-Through': {
    description: "The chain's last final day (UTC). Absent when there is none.",
    schema: refTo('schemas/Day'),
    example: exampleDays.at(-1),
  },
  'X-Fees-Currency': {
    description: 'The coin that the fees are in.',
    required: true,
    schema: { type: 'string', enum: [...coins] },
    example: chainOf(exampleQuery.chain).coin,
  },
  ETag: {
    description:
      'Names this state of the answer. Send it back as it came, as `If-None-Match`, and get 304 while nothing has ' +
      'changed. It is a weak one (`W/`) where the answer was compressed.',
    required: true,
    schema: { type: 'string', pattern: '^(W/)?"[^"]+"$' },
    example: '"uY8sK0b1ZQ"',
  },
  'Cache-Control': {
    description: 'Only the client itself may keep the answer, since it was given for its key.',
    required: true,
    schema: { type: 'string', const: 'private' },
    example: 'private',
  },
  Vary: {
    description: 'The request headers that the answer depends on.',
    required: true,
    schema: { type: 'string' },
    example: 'Accept',
  },
};

export const refsTo = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, refTo(`headers/${name}`)]));
