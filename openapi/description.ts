/** Describes the service in Markdown, with the introduction of docs/definitions.md, which defines the figures. */
export const describeService = (definitions: string): string =>
  `
Each figure is the sum over every finalized block of a UTC day, recomputed from data that hashes to the block wherever that is
possible. No figure is estimated, and only \`/today\` shows a part of a day.

Send your key with every request, in the header \`X-API-Key\`. The figures in the examples are invented.

## Meaning of the figures

${introductionOf(definitions)}

## Days without a row

A day that is not final has no row; its value is never 0. \`X-Days-Missing\` counts such days from the chain's first day up to
yesterday (UTC). \`X-Days-Not-Over\` counts today and later days of the range. Days before the chain's first have no row either, and
are not counted. \`X-Data-Through\` is the chain's last final
day. A final day changes when it is corrected by a restatement. Send \`If-None-Match\` to learn cheaply whether anything
has changed.

With the \`interval\` \`hour\`, each final day has 24 rows. With a longer one than \`day\`, a row sums up a period. A period has a row only if every day of it, from the chain's first
day on, is final and within the range: a partial sum never looks like a period. \`X-Days-Missing\` still counts days.

## Relative days

\`start_date\` and \`end_date\` may be \`yesterday\` or a number of days before today, such as \`30-days-ago\` (UTC). Then
\`X-Start-Date\` and \`X-End-Date\` have the resolved days.

## Parsing fees

\`fees\` is a decimal in a string. Parse it with a decimal type (Python's \`Decimal\`, Java's \`BigDecimal\`), or as whole wei with
a \`BigInt\`: a floating-point number keeps only 15 of its digits.

## Errors

Every error is \`application/problem+json\` and states the cause and the remedy. If it has a \`Retry-After\` header, wait for that
number of seconds and send the request again.

## Limits

Each key has a rate limit and a monthly quota: by default 10 requests per second, 20 at once, and 100,000 a month. The operator tells
you yours. A request above them gets 429 with \`Retry-After\`; a quota resets on the first of the month (UTC).

${CORS}
`.trim();

const CORS = `## Calls from web pages (CORS)

Pages of other origins can call the API only if the operator has allowed their origin. Responses to them also carry
\`Access-Control-Allow-Origin\` and \`Access-Control-Expose-Headers\`. With several allowed origins, \`Vary\` also names \`Origin\`.`;

/** Returns the text between the title and the next heading, without links to other parts of the page. */
const introductionOf = (markdown: string): string => {
  const [introduction = ''] = markdown.split(/^## /m);
  return introduction
    .replace(/^# .*/, '')
    .replaceAll(/\[([^\]]+)\]\(#[^)]*\)/g, '$1')
    .trim();
};
