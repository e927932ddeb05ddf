import { chainNames, chainOf } from '../lambda/chains/chains.ts';
import { exampleDays, exampleQuery } from './metric-docs.ts';
import { refTo } from './schemas.ts';

const coins = new Set(chainNames.map((name) => chainOf(name).coin));

/** The headers of 200 and 304 responses. */
export const headers = {
  'X-Days-Missing': {
    description:
      "The number of days in the range, from the chain's first day to yesterday (UTC), that have no final figure and " +
      'therefore no row.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
  'X-Data-Through': {
    description: "The chain's last final day (UTC). Absent when no day is final.",
    schema: refTo('schemas/Day'),
    example: exampleDays.at(-1),
  },
  'X-Fees-Currency': {
    description: 'The coin in which the fees are given.',
    required: true,
    schema: { type: 'string', enum: [...coins] },
    example: chainOf(exampleQuery.chain).coin,
  },
  ETag: {
    description:
      'The entity tag of this response. Send it unchanged in `If-None-Match` to get 304 while nothing has changed. It is ' +
      'weak (`W/`) if the response was compressed.',
    required: true,
    schema: { type: 'string', pattern: '^(W/)?"[^"]+"$' },
    example: '"uY8sK0b1ZQ"',
  },
  'Cache-Control': {
    description: 'Shared caches must not store the response, because it was returned for your key.',
    required: true,
    schema: { type: 'string', const: 'private' },
    example: 'private',
  },
  Vary: {
    description: 'The request headers that the response depends on.',
    required: true,
    schema: { type: 'string' },
    example: 'Accept',
  },
};

export const refsTo = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, refTo(`headers/${name}`)]));
