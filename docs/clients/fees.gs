/*
 * For a Google Sheet (Extensions, Apps Script). The script properties CHAIN_INSIGHTS_URL and CHAIN_INSIGHTS_KEY say where
 * and with which key. Then, in a cell: =CHAIN_INSIGHTS_FEES("ETHEREUM", "2025-11-01", "2025-11-30")
 */

/**
 * What was paid in fees on each day of a range.
 *
 * @param {string} chain ETHEREUM, ARBITRUM, BSC, OPTIMISM, BASE or POLYGON.
 * @param {string} start_date First day, as text: TEXT(A1, "yyyy-mm-dd").
 * @param {string} end_date Last day, as text.
 * @return A row for each final day. Fees are text, since a cell keeps only 15 digits of a number.
 * @customfunction
 */
function CHAIN_INSIGHTS_FEES(chain, start_date, end_date) {
  const response = get_('fees', { chain, start_date, end_date });
  const rows = contentOf_(response, 'application/json').map(({ date, fees }) => [date, fees]);
  // A day that is not final has no row, nor has one that is not over, or one before the chain's first.
  const missing = (Date.parse(end_date) - Date.parse(start_date)) / 86400000 + 1 - rows.length;
  return [
    ['date', headerOf_(response, 'X-Fees-Currency')],
    ...rows,
    ...(missing === 0 ? [] : [['days without a figure', missing]]),
  ];
}

/** Sends a request, and again where the answer says when: after five seconds at most, for a cell waits for half a minute. */
function get_(path, query) {
  const properties = PropertiesService.getScriptProperties();
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const base = `${properties.getProperty('CHAIN_INSIGHTS_URL')}`.replace(/\/$/, '');
  const url = `${base}/api/chain-insights/${path}?${parameters.join('&')}`;
  const headers = { 'X-API-Key': properties.getProperty('CHAIN_INSIGHTS_KEY') };
  // A redirect would take the key to another host.
  const options = { headers, followRedirects: false, muteHttpExceptions: true };
  for (let attempt = 1; ; attempt++) {
    const response = UrlFetchApp.fetch(url, options);
    if (response.getResponseCode() === 200) return response;
    const seconds = Number(headerOf_(response, 'Retry-After') ?? NaN);
    // A date is no number, and taken for too long.
    if (attempt === 5 || !(seconds <= 5)) throw new Error(messageOf_(response));
    Utilities.sleep(seconds * 1000);
  }
}

/** Gateways spell the names of headers as they like. */
function headerOf_(response, name) {
  const found = Object.entries(response.getAllHeaders()).find(
    ([each]) => each.toLowerCase() === name.toLowerCase(),
  );
  return found?.[1];
}

/** What is in an answer. Something else than the API, such as a proxy, answers with another type. */
function contentOf_(response, type) {
  const found = headerOf_(response, 'Content-Type') ?? 'nothing';
  if (found.startsWith(type)) return JSON.parse(response.getContentText());
  throw new Error(
    `CHAIN_INSIGHTS_URL answered with ${response.getResponseCode()}: ${found} instead of ${type}`,
  );
}

function messageOf_(response) {
  const { detail, errors = [] } = contentOf_(response, 'application/problem+json');
  return [detail, ...errors.map(({ field, message }) => `${field} ${message}`)].join('\n');
}
