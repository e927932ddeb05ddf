import { findTargetAnchor } from '#cli/doctor/anchor.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { targetOf } from '#test/support/doctor-target.ts';
import { answerFrom, reseal } from '#test/support/generators/sample-chain.ts';
import { sampleBlocks, sampleTimes } from '#test/support/generators/sample-days.ts';
import { withHeader } from '#test/support/generators/seal.ts';
import { type JsonRpcServer, startJsonRpcServer, UNAVAILABLE } from '#test/support/nodes/json-rpc-server.ts';

const target = targetOf('ETHEREUM');
const { chain } = target;
const { signal } = new AbortController();
const find = (nodes: readonly JsonRpcServer[], given: { quorum?: number } = {}, timeoutMs = 10_000) =>
  findTargetAnchor(
    { ...target, ...given },
    nodes.map(({ url }) => endpointOf(chain, url)),
    signal,
    timeoutMs,
  );

const fork = reseal(sampleBlocks, 5, (block) => withHeader(block, { extraData: '0x01' }));
const startNode = () => startJsonRpcServer(answerFrom(sampleBlocks));
const startLiar = () => startJsonRpcServer(answerFrom(fork));

test('finds the newest block that the quorum of hosts supports', async () => {
  await using node = await startNode();
  await using behind = await startJsonRpcServer(answerFrom(sampleBlocks, { finalized: 8 }));
  const hosts = [node.host, behind.host].toSorted();
  const finality = { problem: expect.stringContaining('No light-client server'), servers: [] };
  const feed = { pair: 'ETH/USD', problem: expect.stringContaining('the node does not have it') };
  expect(await find([node, behind])).toEqual({ number: 8, timestamp: sampleTimes[8], hosts, finality, feed });
  expect(await find([node, behind], { quorum: 1 })).toMatchObject({ number: 9, hosts: [node.host] });
});

test('names the host that contradicts the anchor', async () => {
  await using node = await startNode();
  await using another = await startNode();
  await using liar = await startLiar();
  expect(await find([liar, node, another])).toMatchObject({
    number: 9,
    hosts: [node.host, another.host].toSorted(),
    contradicted_by: [liar.host],
  });
});

test('describes the dispute of one host against another', async () => {
  await using node = await startNode();
  await using liar = await startLiar();
  expect(await find([node, liar])).toEqual({
    reason: expect.stringMatching(
      /^ETHEREUM has no anchor: 2 hosts must call a block final\. .*remove the faulty/,
    ),
  });
});

test('says why a host that the quorum needs did not answer', async () => {
  await using node = await startNode();
  await using away = await startJsonRpcServer(() => UNAVAILABLE);
  const { host } = away;
  expect(await find([node, away])).toEqual({
    reason: expect.stringMatching(
      `no anchor: 2 hosts must call a block final\\. .* ${host}: eth_chainId: HTTP status 503`,
    ),
  });
});

test('gives up on hosts that do not answer in time', async () => {
  await using silent = await startJsonRpcServer(() => ({ hang: true }));
  expect(await find([silent], {}, 500)).toEqual({ reason: 'Too few endpoints answered within 0.5 s.' });
});
