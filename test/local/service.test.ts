import {
  chainsBut,
  endServicesAfterEach,
  READY,
  startServiceProcess,
  withKey,
} from '../support/service-process.ts';

endServicesAfterEach();

test('of the host of a node no more is shown than what its owner registered, for it may hold a key', async () => {
  const service = startServiceProcess({
    ...chainsBut({ RPC_URLS_BSC: 'http://my-secret.bsc.nodes.invalid/path-token' }),
    ...withKey,
  });
  await service.says(READY);
  await service.says(/BSC +no endpoint .*\. nodes\.invalid: eth_chainId: not reached/);
  expect(service.output()).not.toContain('my-secret');
  expect(service.output()).not.toContain('path-token');
});
