import {
  chainsBut,
  endServicesAfterEach,
  READY,
  startServiceProcess,
  withKey,
} from '../support/service-process.ts';

endServicesAfterEach();

test('prints only the registered domain of a node, because its host name may contain a key', async () => {
  const service = startServiceProcess({
    ...chainsBut({ RPC_URLS_BSC: 'http://my-secret.bsc.nodes.invalid/path-token' }),
    ...withKey,
  });
  await service.says(READY);
  await service.says(/BSC +No endpoint .*\. nodes\.invalid: eth_chainId: unreachable/);
  expect(service.output()).not.toContain('my-secret');
  expect(service.output()).not.toContain('path-token');
});
