import { chainNames, chainOf } from '../../../lambda/chains/chains.ts';

test.each(['ETHEREUM', 'ARBITRUM', 'BSC', 'OPTIMISM', 'BASE', 'POLYGON'])('the API supports %s', (name) => {
  expect(chainNames).toContain(name);
});

test('no two chains share a chain ID or an endpoint', () => {
  const chains = chainNames.map(chainOf);
  const endpoints = chains.flatMap(({ publicEndpoints }) => publicEndpoints);
  expect(new Set(chains.map(({ id }) => id)).size).toBe(chains.length);
  expect(new Set(endpoints).size).toBe(endpoints.length);
});
