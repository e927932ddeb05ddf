import { chainOf } from '../core/chains/chains.ts';
import { MAX_AGE_S } from '../lambda/api/today-handler.ts';
import { exampleDays, exampleQuery } from './examples.ts';
import { refTo } from './registry.ts';
import { coins } from './status-schema.ts';

const resolvedDay = (name: 'start_date' | 'end_date') => ({
  description: `The resolved \`${name}\` (UTC). Absent if both days were given as dates.`,
  schema: refTo('schemas/Day'),
  example: exampleQuery[name],
});

const header = (description: string, schema: object, example: number | string) => ({
  description,
  required: true,
  schema: { type: 'string', ...schema },
  example,
});

/** The headers of 200 and 304 responses. */
export const headers = {
  'X-Days-Missing': header(
    "The number of days in the range, from the chain's first day to yesterday (UTC), that have no final figure and " +
      'therefore no row, whatever the interval. With several chains, their sum.',
    { type: 'integer', minimum: 0 },
    1,
  ),
  'X-Days-Not-Over': header(
    'The number of days in the range that are not over yet, today (UTC) included. They have no row either.',
    { type: 'integer', minimum: 0 },
    0,
  ),
  'X-Days-Archived': {
    description:
      'The number of days of the rows that come from a public archive, whose file was audited, and are not proven. Absent where there is none.',
    schema: { type: 'integer', minimum: 1 },
    example: 2,
  },
  'X-Data-Through': {
    description: "The chain's last final day (UTC). Absent when no day is final, and with several chains.",
    schema: refTo('schemas/Day'),
    example: exampleDays.at(-1)?.date,
  },
  'X-Sample-Data': {
    description:
      '`true` if a chain of the response is a development chain of `npm start`: its figures are invented. Else absent.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'X-Start-Date': resolvedDay('start_date'),
  'X-End-Date': resolvedDay('end_date'),
  'X-Fees-Currency': {
    ...header(
      'The coin in which the fees are given. Absent with several chains.',
      { enum: coins },
      chainOf(exampleQuery.chain).coin,
    ),
    required: false,
  },
  ETag: {
    ...header(
      'The entity tag of this response. Send it unchanged in `If-None-Match` to get 304 while nothing has changed. It is ' +
        'weak (`W/`) if the response was compressed, and absent for three seconds after a change.',
      { pattern: '^(W/)?"[^"]+"$' },
      '"uY8sK0b1ZQ"',
    ),
    required: false,
  },
  'Cache-Control': header(
    'Shared caches must not store the response, because it was returned for your key; no cache may in the three seconds after a change. ' +
      'That of the running day is current for some seconds.',
    { enum: ['private', `private, max-age=${MAX_AGE_S}`, 'no-store'] },
    'private',
  ),
  Vary: header('The request headers that the response depends on.', {}, 'Accept'),
};

export const errorCacheControl = header('Caches must not store an error.', { const: 'no-store' }, 'no-store');

export const refsTo = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, refTo(`headers/${name}`)]));
