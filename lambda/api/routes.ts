/**
 * Every route of the API: the CDK stack and the local gateway are both built from this list.
 * `handler` names the file in lambda/ that answers it.
 */
export const routes = [
  { path: '/api/chain-insights/transaction_count', handler: 'get-transaction-count' },
  { path: '/api/chain-insights/fees', handler: 'get-fees' },
] as const;

export type Route = (typeof routes)[number];

/** Each route answers both: POST with a JSON body, and GET with query parameters. */
export const methods = ['GET', 'POST'] as const;
