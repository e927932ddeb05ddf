import { findVerifyEndpoints } from '#cli/endpoints.ts';
import { chainOf } from '#core/chains/chains.ts';
import { ParameterError } from '#core/rpc/endpoints-parameter.ts';
import type { Upstream } from '#core/rpc/upstream.ts';
import { upstreamsOf } from '#test/support/nodes/source.ts';
import { servedChain } from '#test/support/served-chain.ts';
import { unreachableTable } from '#test/support/tables/table.ts';

const chain = chainOf('BASE');
const served = (createUpstreams: () => Promise<readonly Upstream[]>) =>
  servedChain('BASE', unreachableTable, { createUpstreams });
const own = ['https://a.example/v1', 'https://b.example/v1'];
const service = served(async () =>
  upstreamsOf(
    chain,
    own.map((url) => ({ url })),
  ),
);
const hostsOf = (upstreams: readonly Upstream[]) => upstreams.map(({ endpoint }) => endpoint.host);

test('uses the endpoints of the service by default', async () => {
  const { primary, secondary } = await findVerifyEndpoints(service, []);
  expect([hostsOf(primary), secondary]).toEqual([['a.example', 'b.example'], []]);
});

test('uses given endpoints first and those of other hosts of the service as secondary', async () => {
  const given = ['https://b.example/another', 'https://c.example'];
  const { primary, secondary } = await findVerifyEndpoints(service, given);
  expect(hostsOf(primary)).toEqual(['b.example', 'c.example']);
  expect(hostsOf(secondary)).toEqual(['a.example']);
});

test('uses given endpoints when those of the service cannot be read', async () => {
  const unknown = served(async () => {
    throw new ParameterError('/nodes/base', 'does not exist.');
  });
  const note = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const { primary, secondary } = await findVerifyEndpoints(unknown, ['https://c.example']);
  expect(note.mock.calls.join('')).toContain('The parameter /nodes/base does not exist.');
  note.mockRestore();
  expect([hostsOf(primary), secondary]).toEqual([['c.example'], []]);
  await expect(findVerifyEndpoints(unknown, [])).rejects.toThrow('The parameter /nodes/base does not exist.');
});
