import { programs } from '#web/reference/examples.ts';

const inputs = { chain: 'BASE', start_date: '30-days-ago', end_date: 'yesterday' };

test('writes the same request for each language, with the key from the environment', () => {
  const { curl, TypeScript, Python } = programs('https://api.test/v1', '/api/chain-insights/fees', inputs);
  expect(curl).toBe(
    "curl -s 'https://api.test/v1/api/chain-insights/fees?chain=BASE&start_date=30-days-ago&end_date=yesterday' \\\n" +
      '  -H "X-API-Key: $CHAIN_INSIGHTS_KEY"',
  );
  expect(TypeScript).toContain(
    "chainInsights({ url: 'https://api.test/v1' }); // The key is CHAIN_INSIGHTS_KEY.",
  );
  expect(TypeScript).toContain(
    "await api.fees({\n  chain: 'BASE',\n  startDate: '30-days-ago',\n  endDate: 'yesterday',\n});",
  );
  expect(Python).toContain('api.fees(chain="BASE", start_date="30-days-ago", end_date="yesterday")');
});

test('a request without inputs has no query', () => {
  const { curl, TypeScript } = programs('https://api.test', '/api/chain-insights/chains', {});
  expect(curl).toContain("'https://api.test/api/chain-insights/chains'");
  expect(TypeScript).toContain('const chains = await api.chains();');
});

test('asks the clients for the running day of a chain, which is not a list of rows', () => {
  const today = programs('https://a.example', '/api/chain-insights/today', { chain: 'BASE' });
  expect(today.TypeScript).toContain("const today = await api.today('BASE');\nconsole.log(today);");
  expect(today.Python).toContain('print(api.today("BASE"))');
});
