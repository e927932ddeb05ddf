/*
 * Functions for Google Sheets (Extensions, Apps Script). Set the script properties CHAIN_INSIGHTS_URL and CHAIN_INSIGHTS_KEY.
 * Then enter in a cell: =CHAIN_INSIGHTS_FEES("ETHEREUM", "30-days-ago", "yesterday")
 * or =CHAIN_INSIGHTS_TODAY("ETHEREUM")
 */

/**
 * Returns the fees of each day of a range.
 *
 * @param {string} chain Such as ETHEREUM.
 * @param {string} start_date First day, as text: yesterday, 30-days-ago, or TEXT(A1, "yyyy-mm-dd").
 * @param {string} end_date Last day, as text.
 * @return A row for each final day. Fees are text, because a cell keeps only 15 digits of a number.
 * @customfunction
 */
function CHAIN_INSIGHTS_FEES(chain, start_date, end_date) {
  const response = get_('fees', { chain, start_date, end_date });
  const rows = contentOf_(response, 'application/json').map(({ date, fees }) => [date, fees]);
  const [missing, notOver] = ['X-Days-Missing', 'X-Days-Not-Over'].map((name) =>
    Number(headerOf_(response, name)),
  );
  return [
    ['date', headerOf_(response, 'X-Fees-Currency')],
    ...rows,
    ...(missing > 0 ? [['days without a figure', missing]] : []),
    ...(notOver > 0 ? [['days that are not over', notOver]] : []),
  ];
}

/**
 * Returns the running day (UTC) so far. Sheets asks again only when an argument changes: name a cell with a checkbox as a second
 * one, as in CHAIN_INSIGHTS_TODAY("ETHEREUM", A1), and tick it.
 *
 * @param {string} chain Such as ETHEREUM.
 * @return Its transactions, its fees as text, and the time of the last final block that they count.
 * @customfunction
 */
function CHAIN_INSIGHTS_TODAY(chain) {
  const days = [contentOf_(get_('today', { chain }), 'application/json')].flat();
  return [
    ['transactions', 'fees', 'through'],
    ...days.map(({ transaction_count = '', fees = '', through }) => [
      transaction_count,
      fees,
      through?.time ?? 'no block is final yet',
    ]),
  ];
}

/** Sends a request. Retries up to four times, after at most 5 s each: a cell waits for half a minute. */
function get_(path, query) {
  const properties = PropertiesService.getScriptProperties();
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const base = `${properties.getProperty('CHAIN_INSIGHTS_URL')}`.replace(/\/$/, '');
  const url = `${base}/api/chain-insights/${path}?${parameters.join('&')}`;
  const headers = { 'X-API-Key': properties.getProperty('CHAIN_INSIGHTS_KEY') };
  // A redirect would send the key to another host.
  const options = { headers, followRedirects: false, muteHttpExceptions: true };
  for (let attempt = 1; ; attempt++) {
    const response = UrlFetchApp.fetch(url, options);
    if (response.getResponseCode() === 200) return response;
    const seconds = Number(headerOf_(response, 'Retry-After') ?? NaN);
    // A date in Retry-After is NaN, and not retried.
    if (attempt === 5 || !(seconds <= 5)) throw new Error(messageOf_(response));
    Utilities.sleep(seconds * 1000);
  }
}

/** Returns a header, whose name may be in any case. */
function headerOf_(response, name) {
  const found = Object.entries(response.getAllHeaders()).find(
    ([each]) => each.toLowerCase() === name.toLowerCase(),
  );
  return found?.[1];
}

/** Parses a body. Another type means that not the API responded but, for example, a proxy. */
function contentOf_(response, type) {
  const found = headerOf_(response, 'Content-Type') ?? 'no type';
  if (found.startsWith(type)) return JSON.parse(response.getContentText());
  throw new Error(
    `Unexpected response (${response.getResponseCode()}) from CHAIN_INSIGHTS_URL: expected ${type}, received ${found}`,
  );
}

function messageOf_(response) {
  const { detail, errors = [] } = contentOf_(response, 'application/problem+json');
  // The detail names a single field already.
  if (errors.length < 2) return detail;
  return errors.map(({ field, message }) => `${field} ${message}`).join('\n');
}
