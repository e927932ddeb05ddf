/**
 * The public name of an endpoint: a name or an address, a port, and a number among those that share the host (endpoint.ts). A URL may have
 * a host such as `=1+1`, which a spreadsheet would run as a formula.
 */
export const HOST = /^(?=.{1,300}$)(\[[\da-f:.]+\]|\w[\w.-]*)(:\d{1,5})?(#\d+)?$/i;
