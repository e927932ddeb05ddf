import { chainOf } from '../../core/chains/chains.ts';

/** The values of a request's inputs; those of the API's defaults are left out. */
export type Inputs = Readonly<Record<string, string>>;

const camelCase = (name: string): string =>
  name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the programs that send a request. They read the key from the environment, so that nobody shares it with a program. */
export function programs(url: string, path: string, inputs: Inputs) {
  // The methods of the clients are named like the last part of the path.
  const method = path.split('/').at(-1) ?? '';
  const entries = Object.entries(inputs);
  const query = entries.length > 0 ? `?${new URLSearchParams(inputs)}` : '';
  // The clients read all fields.
  const clientInputs = entries.filter(([name]) => name !== 'fields');
  const members = clientInputs.map(([name, value]) => `  ${camelCase(name)}: '${value}',\n`).join('');
  const keywords = clientInputs.map(([name, value]) => `${name}="${value}"`).join(', ');
  const { chain } = inputs;
  const isToday = method === 'today';
  const rows = entries.length > 0 && !isToday ? '{ rows }' : isToday ? 'today' : 'chains';
  const given = isToday ? `'${chain}'` : members && `{\n${members}}`;
  return {
    curl: `curl -s '${url}${path}${query}' \\\n  -H "X-API-Key: $CHAIN_INSIGHTS_KEY"`,
    TypeScript: [
      `// Download it first: curl --compressed -sO ${url}/clients/chain-insights-client.mjs`,
      "import { chainInsights } from './chain-insights-client.mjs';",
      '',
      `const api = chainInsights({ url: '${url}' }); // The key is CHAIN_INSIGHTS_KEY.`,
      `const ${rows} = await api.${camelCase(method)}(${given});`,
      isToday ? 'console.log(today);' : `console.table(${rows === 'chains' ? rows : 'rows'});`,
    ].join('\n'),
    Python: [
      `# Download it first: curl --compressed -sO ${url}/clients/chain_insights.py`,
      'from chain_insights import ChainInsights',
      '',
      `api = ChainInsights("${url}")  # The key is CHAIN_INSIGHTS_KEY.`,
      ...(isToday
        ? [`print(api.today("${chain}"))`]
        : [`for row in api.${method}(${keywords}):`, '    print(row)']),
    ].join('\n'),
  };
}

/** Returns the commands that recompute a day: they need a key in the environment, Python, and a node that anyone may use. */
export const verifyProgram = (url: string): string =>
  [
    `curl --compressed -sO ${url}/clients/chain_insights.py -O ${url}/clients/recompute.py`,
    `export CHAIN_INSIGHTS_URL=${url}`,
    'export CHAIN_INSIGHTS_KEY=<your key>',
    `export NODE_URL=${chainOf('ETHEREUM').publicEndpoints[0]}`,
    'python3 recompute.py ETHEREUM yesterday',
  ].join('\n');

export type Language = keyof ReturnType<typeof programs>;
