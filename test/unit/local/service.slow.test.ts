import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { createFolder } from '#test/support/folders.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { completeDays, DAY, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { startServiceProcess } from '#test/support/processes/service-process.ts';
import { serve } from '#test/support/servers/serve.ts';

test('prints only the registered domain of a node, because its host name may contain a key', async () => {
  const RPC_URLS_BSC = 'http://my-secret.bsc.nodes.invalid/path-token';
  using service = startServiceProcess({ RPC_URLS_BSC });
  await service.ready();
  await service.says(/BSC +No endpoint .*\. nodes\.invalid: eth_chainId: unreachable/);
  expect(service.output()).not.toContain('my-secret');
  expect(service.output()).not.toContain('path-token');
});

test('posts the event of each day in order, though the receiver refuses some and the service is killed', async () => {
  const received: string[] = [];
  let accepted = 1;
  const server = createServer(async (request, response) => {
    const { detail } = z.object({ detail: z.object({ date: z.string() }) }).parse(await json(request));
    const isAccepted = received.length < accepted;
    if (isAccepted) received.push(detail.date);
    response.writeHead(isAccepted ? 200 : 503).end();
  });
  await using receiver = await serve(server);
  await using node = await startJsonRpcServer(answerFrom(sampleBlocks));
  const dataDir = createFolder();
  const start = () =>
    startServiceProcess({
      RPC_URLS_ETHEREUM: node.url,
      DATA_DIR: dataDir,
      INGEST_START_DATE: DAY,
      INGEST_EVERY_SECONDS: '0.2',
      EVENTS_WEBHOOK_URL: `${receiver.url}/secret-token`,
    });
  using killed = start();
  await killed.says(/ETHEREUM +The event of ETHEREUM 2026-11-19 was not sent: .*HTTP status 503/);
  expect(killed.output()).not.toContain('secret-token');
  killed.child.kill('SIGKILL');
  await killed.exit;
  // The newest day becomes final first, and then the days before it.
  const inOrder = completeDays.map(({ day }) => day).toReversed();
  expect(received).toEqual(inOrder.slice(0, 1));
  accepted = Number.POSITIVE_INFINITY;
  using restarted = start();
  for (let waited = 0; received.length < completeDays.length && waited < 20_000; waited += 50)
    await sleep(50);
  restarted.child.kill('SIGKILL');
  await restarted.exit;
  expect(received).toEqual(inOrder);
});
