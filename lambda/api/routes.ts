const ROOT = '/api/chain-insights';

const seriesMethods = ['GET', 'HEAD', 'POST'] as const;

/** The routes with rows of days or periods. `handler` is a file in lambda/. */
export const seriesRoutes = [
  {
    name: 'transaction_count',
    path: `${ROOT}/transaction_count`,
    handler: 'get-transaction-count',
    methods: seriesMethods,
  },
  { name: 'fees', path: `${ROOT}/fees`, handler: 'get-fees', methods: seriesMethods },
  { name: 'days', path: `${ROOT}/days`, handler: 'get-details', methods: seriesMethods },
  { name: 'distribution', path: `${ROOT}/distribution`, handler: 'get-details', methods: seriesMethods },
] as const;

/** The running day, which is not a row: one object for one chain, and a list for several. */
export const todayRoute = {
  name: 'today',
  path: `${ROOT}/today`,
  handler: 'get-today',
  methods: seriesMethods,
} as const;

export const chainsRoute = {
  name: 'chains',
  path: `${ROOT}/chains`,
  handler: 'get-details',
  methods: ['GET', 'HEAD'],
} as const;

/** Every route of the API. The CDK stack and the local gateway are both built from this list. */
export const routes = [...seriesRoutes, todayRoute, chainsRoute] as const;

export type SeriesRoute = (typeof seriesRoutes)[number];
export type Route = (typeof routes)[number];

/** Names of the query functions, each once. */
export const queryHandlers = [...new Set(routes.map(({ handler }) => handler))];

export const pathOf = <Name extends Route['name']>(name: Name) => `${ROOT}/${name}` as const;
