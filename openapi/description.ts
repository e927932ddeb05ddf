/**
 * What the service is, in Markdown.
 * @param definitions the text of docs/definitions.md, whose beginning says what the figures mean
 */
export const describeService = (definitions: string): string =>
  `
Exact daily figures of a blockchain over a range of dates: how many transactions it carried each day, and what people paid in
fees. No figure is ever wrong, partial or invented: each is a sum over every block of a UTC day, and each of those blocks was
checked and is finalized.

Every request carries a key in the header \`X-API-Key\`. The figures in the examples are made up.

## What the figures mean

${introductionOf(definitions)}

## Days without a row

A day that is not final has no row; it is never 0. \`X-Days-Missing\` says how many days of the range that is, from the chain's
first day up to yesterday (UTC): days before and after have no row either, and are not counted. \`X-Data-Through\` says how
far the data goes. Final days change only where one turned out wrong and was read again, so ask again with
\`If-None-Match\` to learn cheaply whether anything is new.

## Reading fees

\`fees\` is a decimal in a string. Read it with a decimal type (Python's \`Decimal\`, Java's \`BigDecimal\`), or as whole wei in
a \`BigInt\`: a floating-point number keeps 15 of its digits.

## When something goes wrong

Every error is \`application/problem+json\` and says what was wrong and what to do. Where it has \`Retry-After\`, wait for that many
seconds and send the request again: a key has a rate and a monthly quota.

## From web pages of other origins

They can call only where the operator has named their origin (CORS). Then answers to them also carry
\`Access-Control-Allow-Origin\` and \`Access-Control-Expose-Headers\`, and where there are several origins, \`Vary\` names \`Origin\` too.
`.trim();

/** What stands between the title and the next heading. */
const introductionOf = (markdown: string): string => {
  const [introduction = ''] = markdown.split(/^## /m);
  return introduction.replace(/^# .*/, '').trim();
};
