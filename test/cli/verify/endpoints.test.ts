import { CommandError } from '../../../cli/exit-codes.ts';
import { endpointsToAsk } from '../../../cli/verify/endpoints.ts';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { ParameterError } from '../../../lambda/rpc/endpoints-parameter.ts';
import type { Upstream } from '../../../lambda/rpc/upstream.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import { upstreamsOf } from '../../support/source.ts';
import { unreachableTable } from '../../support/table.ts';

const chain = chainOf('BASE');
const served = (openUpstreams: () => Promise<readonly Upstream[]>) => ({
  ...{ name: 'BASE' as const, chain, from: '2026-11-18', store: chainStore(unreachableTable, 'BASE') },
  openUpstreams,
});
const own = ['https://a.example/v1', 'https://b.example/v1'];
const service = served(async () =>
  upstreamsOf(
    chain,
    own.map((url) => ({ url })),
  ),
);
const hostsOf = (upstreams: readonly Upstream[]) => upstreams.map(({ endpoint }) => endpoint.host);

test('without given nodes, days are read from those of the service', async () => {
  const { first, others } = await endpointsToAsk(service, []);
  expect([hostsOf(first), await others()]).toEqual([['a.example', 'b.example'], []]);
});

test('given nodes alone are read from, and those of the service are there to compare, each URL once', async () => {
  const given = ['https://b.example/v1', 'https://a.example/another', 'https://c.example'];
  const { first, others } = await endpointsToAsk(service, given);
  expect(hostsOf(first)).toEqual(['b.example', 'a.example', 'c.example']);
  expect(hostsOf(await others())).toEqual(['a.example (of the service)']);
  // What is learned of them is kept from day to day.
  expect(await others()).toBe(await others());
});

test('given nodes are read from even where those of the service cannot be known', async () => {
  const unknown = served(async () => {
    throw new ParameterError('/nodes/base', 'is not there');
  });
  const { first, others } = await endpointsToAsk(unknown, ['https://c.example']);
  expect(hostsOf(first)).toEqual(['c.example']);
  await expect(others()).rejects.toThrow(new CommandError('The parameter /nodes/base is not there.'));
  await expect(endpointsToAsk(unknown, [])).rejects.toThrow('The parameter /nodes/base is not there.');
});
