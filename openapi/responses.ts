import { CSV_TYPE, JSON_TYPE } from '../lambda/api/formats.ts';
import { chainNames, chainOf } from '../lambda/chains/chains.ts';
import { exampleDays, type Figure, figures } from './figures.ts';
import { refsTo } from './headers.ts';
import { refTo, rowName } from './schemas.ts';

/** The headers of an answer to any query, and of one that says that nothing has changed. */
const ANSWER_HEADERS = ['X-Days-Missing', 'X-Data-Through', 'ETag', 'Cache-Control', 'Vary'];
const NOT_MODIFIED_HEADERS = ['ETag', 'Cache-Control', 'Vary'];

/** What goes well, by its name. */
export const goodResponses = () => ({
  ...Object.fromEntries(Object.values(figures).map((figure) => [figure.name, rowsOf(figure)])),
  NotModified: {
    description: 'Nothing has changed since the answer that `If-None-Match` names. There is no body.',
    headers: refsTo(NOT_MODIFIED_HEADERS),
  },
});

function rowsOf(figure: Figure) {
  const { field, headersOf } = figure.metric;
  const rows = exampleDays.map((day, index) => [day, figure.examples[index]]);
  const ownHeaders = chainNames.flatMap((name) => Object.keys(headersOf(chainOf(name))));
  return {
    description:
      'A row for each final day of the range, ascending. A day that is not final has none: it is never 0, and never ' +
      'partial. With `Accept: text/csv` the same rows come as CSV; an `Accept` that names neither type gives JSON.',
    headers: refsTo([...ANSWER_HEADERS, ...ownHeaders]),
    content: {
      [JSON_TYPE]: {
        schema: { type: 'array', items: refTo(`schemas/${rowName(figure)}`) },
        example: rows.map(([date, value]) => ({ date, [field]: value })),
      },
      [CSV_TYPE]: {
        schema: { type: 'string', description: 'RFC 4180: a header line, then a line for each final day.' },
        example: [['date', field], ...rows].map((row) => `${row.join(',')}\r\n`).join(''),
      },
    },
  };
}
