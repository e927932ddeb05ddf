/** The values of a request's inputs; those of the API's defaults are left out. */
export type Inputs = Readonly<Record<string, string>>;

/** The methods of the clients by the last part of the path, as docs/clients.md shows them. */
const methods: Readonly<Record<string, { readonly typescript: string; readonly python: string }>> = {
  transaction_count: { typescript: 'transactionCount', python: 'transaction_count' },
  fees: { typescript: 'fees', python: 'fees' },
  days: { typescript: 'days', python: 'days' },
  distribution: { typescript: 'distribution', python: 'distribution' },
  chains: { typescript: 'chains', python: 'chains' },
};

/**
 * Returns the programs that send a request. They read the key from the environment, so that nobody shares it with a program.
 * @param url of the service, without a slash at its end
 * @param path such as `/api/chain-insights/fees`
 */
export function programs(url: string, path: string, inputs: Inputs) {
  const { typescript = '', python = '' } = methods[path.split('/').at(-1) ?? ''] ?? {};
  const entries = Object.entries(inputs);
  const query = entries.length > 0 ? `?${new URLSearchParams(inputs)}` : '';
  const members = entries.map(([name, value]) => `  ${name}: '${value}',\n`).join('');
  const keywords = entries.map(([name, value]) => `${name}="${value}"`).join(', ');
  const hasRows = entries.length > 0;
  return {
    curl: `curl -s '${url}${path}${query}' \\\n  -H "X-API-Key: $CHAIN_INSIGHTS_KEY"`,
    TypeScript: [
      '// Not in a registry: ask the operator of this service for the package, and install nothing of this name from elsewhere.',
      "import { chainInsights } from 'chain-insights-client';",
      '',
      `const api = chainInsights({ url: '${url}', key: process.env.CHAIN_INSIGHTS_KEY ?? '' });`,
      `const ${hasRows ? '{ rows }' : 'chains'} = await api.${typescript}(${members && `{\n${members}}`});`,
      `console.table(${hasRows ? 'rows' : 'chains'});`,
    ].join('\n'),
    Python: [
      '# Save chain_insights.py beside this file. The operator of this service has it; it is in no registry.',
      'import os',
      'from chain_insights import ChainInsights',
      '',
      `api = ChainInsights("${url}", os.environ["CHAIN_INSIGHTS_KEY"])`,
      `for row in api.${python}(${keywords}):`,
      '    print(row)',
    ].join('\n'),
  };
}

export type Language = keyof ReturnType<typeof programs>;
