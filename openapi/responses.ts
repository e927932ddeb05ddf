import { CSV_TYPE, JSON_TYPE } from '../lambda/api/formats.ts';
import { exampleChain, exampleToday } from './examples.ts';
import { refsTo } from './headers.ts';
import { refTo } from './registry.ts';
import { type SeriesDoc, seriesDocs } from './series-docs.ts';

const CACHE_HEADERS = ['ETag', 'Cache-Control', 'Vary'];

/** Returns the 200 and 304 responses by name. */
export const successResponses = () => ({
  ...Object.fromEntries(Object.values(seriesDocs).map((doc) => [doc.name, rowsResponse(doc)])),
  RunningDay: {
    description: 'The running day of one chain; with several, a list of them in the order of the request.',
    headers: refsTo(['X-Sample-Data', ...CACHE_HEADERS]),
    content: {
      [JSON_TYPE]: {
        schema: { oneOf: [refTo('schemas/Today'), { type: 'array', items: refTo('schemas/Today') }] },
        example: exampleToday,
      },
    },
  },
  Chains: {
    description: 'A row for each chain of the service.',
    headers: refsTo(['X-Sample-Data', 'Cache-Control']),
    content: {
      [JSON_TYPE]: {
        schema: { type: 'array', items: refTo('schemas/ChainStatus') },
        example: [exampleChain],
      },
    },
  },
  NotModified: {
    description: 'The response that `If-None-Match` names is still current. There is no body.',
    headers: refsTo(CACHE_HEADERS),
  },
});

function rowsResponse({ row, exampleBody, endpoint }: SeriesDoc) {
  return {
    description:
      'A row for each final day of the range, in ascending order. A day that is not final has no row: it is never 0, and ' +
      'never partial. With the `interval` `hour`, a row for each hour of such days; with a longer one than `day`, for each period of which every day is final and within the range. ' +
      'Send `Accept: text/csv` for the same rows as CSV; any other type gives JSON.',
    headers: refsTo([
      'X-Days-Missing',
      'X-Days-Not-Over',
      ...(endpoint.hidesEvidence ? ['X-Days-Archived'] : []),
      'X-Data-Through',
      'X-Sample-Data',
      'X-Start-Date',
      'X-End-Date',
      ...CACHE_HEADERS,
      ...(endpoint.hasFees ? ['X-Fees-Currency'] : []),
    ]),
    content: {
      [JSON_TYPE]: {
        schema: { type: 'array', items: refTo(`schemas/${row}`) },
        example: JSON.parse(exampleBody(JSON_TYPE)),
      },
      [CSV_TYPE]: {
        schema: { type: 'string', description: 'RFC 4180: a header line, then one line per row.' },
        example: exampleBody(CSV_TYPE),
      },
    },
  };
}
