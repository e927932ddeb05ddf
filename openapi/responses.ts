import { CSV_TYPE, JSON_TYPE } from '../lambda/api/formats.ts';
import { chainNames, chainOf } from '../lambda/chains/chains.ts';
import { refsTo } from './headers.ts';
import { exampleDays, type MetricDoc, metricDocs } from './metric-docs.ts';
import { refTo, rowName } from './schemas.ts';

const CACHE_HEADERS = ['ETag', 'Cache-Control', 'Vary'];

/** Returns the 200 and 304 responses by name. */
export const successResponses = () => ({
  ...Object.fromEntries(Object.values(metricDocs).map((doc) => [doc.name, rowsResponse(doc)])),
  NotModified: {
    description: 'The response that `If-None-Match` names is still current. There is no body.',
    headers: refsTo(CACHE_HEADERS),
  },
});

function rowsResponse(doc: MetricDoc) {
  const { field, headersOf } = doc.metric;
  const rows = exampleDays.map((day, index) => [day, doc.examples[index]]);
  const metricHeaders = chainNames.flatMap((name) => Object.keys(headersOf(chainOf(name))));
  return {
    description:
      'A row for each final day of the range, in ascending order. A day that is not final has no row: it is never 0, and ' +
      'never partial. Send `Accept: text/csv` for the same rows as CSV; any other type gives JSON.',
    headers: refsTo(['X-Days-Missing', 'X-Data-Through', ...CACHE_HEADERS, ...metricHeaders]),
    content: {
      [JSON_TYPE]: {
        schema: { type: 'array', items: refTo(`schemas/${rowName(doc)}`) },
        example: rows.map(([date, value]) => ({ date, [field]: value })),
      },
      [CSV_TYPE]: {
        schema: { type: 'string', description: 'RFC 4180: a header line, then one line per final day.' },
        example: [['date', field], ...rows].map((row) => `${row.join(',')}\r\n`).join(''),
      },
    },
  };
}
