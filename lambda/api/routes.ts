const ROOT = '/api/chain-insights';

const seriesMethods = ['GET', 'HEAD', 'POST'] as const;

/**
 * The routes with one row for each day or period. They share their input, which GET and HEAD take as query parameters and POST as a
 * JSON body. `handler` names a file in lambda/.
 */
export const seriesRoutes = [
  { path: `${ROOT}/transaction_count`, handler: 'get-transaction-count', methods: seriesMethods },
  { path: `${ROOT}/fees`, handler: 'get-fees', methods: seriesMethods },
  { path: `${ROOT}/days`, handler: 'get-days', methods: seriesMethods },
  { path: `${ROOT}/distribution`, handler: 'get-distribution', methods: seriesMethods },
] as const;

/** The route with one row for each chain, without input. */
export const chainsRoute = {
  path: `${ROOT}/chains`,
  handler: 'get-chains',
  methods: ['GET', 'HEAD'],
} as const;

/** Every route of the API. The CDK stack and the local gateway are both built from this list. */
export const routes = [...seriesRoutes, chainsRoute] as const;

export type SeriesRoute = (typeof seriesRoutes)[number];
export type Route = (typeof routes)[number];

/** Returns the path that a handler serves. */
export const pathOf = (handler: Route['handler']): string =>
  routes.find((route) => route.handler === handler)?.path ?? ROOT;
