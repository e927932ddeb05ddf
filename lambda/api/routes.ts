/**
 * Every route of the API. The CDK stack and the local gateway are both built from this list; `handler` names a file in
 * lambda/.
 */
export const routes = [
  { path: '/api/chain-insights/transaction_count', handler: 'get-transaction-count' },
  { path: '/api/chain-insights/fees', handler: 'get-fees' },
] as const;

export type Route = (typeof routes)[number];

/** The methods of every route: GET with query parameters, POST with a JSON body. */
export const methods = ['GET', 'POST'] as const;
