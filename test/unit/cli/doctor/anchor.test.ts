import { describeAnchor, findTargetAnchor } from '#cli/doctor/anchor.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { targetOf } from '#test/support/doctor-target.ts';
import { withHeader } from '#test/support/generators/blocks/seal.ts';
import { answerFrom, reseal } from '#test/support/generators/chains/sample-chain.ts';
import { sampleBlocks, sampleTimes } from '#test/support/generators/chains/sample-days.ts';
import { type JsonRpcServer, startJsonRpcServer, UNAVAILABLE } from '#test/support/nodes/json-rpc-server.ts';

const target = targetOf('ETHEREUM');
const { chain } = target;
const find = (nodes: readonly JsonRpcServer[], given: { quorum?: number } = {}, timeoutMs = 10_000) =>
  findTargetAnchor(
    { ...target, ...given },
    nodes.map(({ url }) => endpointOf(chain, url)),
    timeoutMs,
  );

const fork = reseal(sampleBlocks, 5, (block) => withHeader(block, { extraData: '0x01' }));
const startNode = () => startJsonRpcServer(answerFrom(sampleBlocks));
const startLiar = () => startJsonRpcServer(answerFrom(fork));

test('finds the newest block that the quorum of hosts supports', async () => {
  await using node = await startNode();
  await using behind = await startJsonRpcServer(answerFrom(sampleBlocks, { finalized: 8 }));
  const hosts = [node.host, behind.host].toSorted();
  const finality = { problem: expect.stringContaining('No light-client server') };
  expect(await find([node, behind])).toEqual({ number: 8, timestamp: sampleTimes[8], hosts, finality });
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

test('describes the anchor with its hosts, those that contradict it, and the proofs', () => {
  const anchor = { number: 9, timestamp: 1_000, hosts: ['a.example', 'b.example'] };
  const lines = (given: object) => describeAnchor({ ...anchor, ...given }, 1_060);
  expect(lines({})).toEqual(['Anchor: block 9, 1m ago, supported by a.example and b.example.']);
  expect(lines({ contradicted_by: ['c.example'] })).toEqual([
    expect.stringMatching(
      /b\.example\. c\.example contradicts it\. Remove the faulty one if this persists\.$/,
    ),
  ]);
  const finality = { checkpoint: '0x12', timestamp: 1_030 };
  expect(lines({ finality }).slice(1)).toEqual(['Proofs of finality would begin at 0x12, 30s ago.']);
  const problem = 'no host answers';
  expect(lines({ finality: { problem } }).slice(1)).toEqual([
    expect.stringMatching(/^Proofs of finality cannot begin: no host answers\. /),
  ]);
});
