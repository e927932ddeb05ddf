import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { chainOf } from '#core/chains/chains.ts';
import { toHex } from '#core/proof/encoding/hex.ts';
import { trieRoot } from '#core/proof/encoding/trie-root.ts';
import { headerHash } from '#core/proof/header.ts';
import { decodeHeader, decodeReceipts } from '#core/proof/json/decode-block.ts';
import { encodeReceipts } from '#core/proof/receipts.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import { blockResponse } from '#test/support/generators/blocks/seal.ts';
import { sealedBlock } from '#test/support/generators/blocks/sealed-block.ts';
import { serve } from '#test/support/servers/serve.ts';

const ethereum = chainOf('ETHEREUM');
const MB = 2 ** 20;
const COUNT = 230;
/** A receipt of a megabyte: what 1.1 million gas of empty logs make. */
const logs = Array.from({ length: 4_000 }, () => ({
  address: `0x${'11'.repeat(20)}`,
  topics: [],
  data: '0x',
  transactionHash: hashOf('transaction'),
  blockHash: hashOf('block'),
}));

/** A block whose receipts have 230 MB as JSON. They share their logs, so that a test can hold them. */
function bigBlock() {
  const { header, transactions, receipts } = sealedBlock(
    ethereum,
    Array.from({ length: COUNT }, () => ({})),
    { number: '0x5' },
  );
  const withLogs = receipts.map((receipt) => ({ ...receipt, logs }));
  const types = transactions.map(() => ({ type: 0 }));
  const encoded = encodeReceipts(ethereum.rules, header, types, decodeReceipts(withLogs));
  const draft = { ...header, receiptsRoot: toHex(trieRoot(encoded)) };
  const hash = headerHash(decodeHeader({ ...draft }));
  return { block: { header: { ...draft, hash }, transactions, receipts }, receipts: withLogs };
}

/** A process that reads the block with little memory, and prints the result. */
const READER = `
  const at = (path) => import(${JSON.stringify(pathToFileURL(`${resolve('.')}/`).href)} + path);
  const { readBlockFrom } = await at('core/blocks/nodes/read-block.ts');
  const { chainOf } = await at('core/chains/chains.ts');
  const { endpointOf } = await at('core/rpc/endpoint.ts');
  const { call } = await at('core/rpc/json-rpc.ts');
  const chain = chainOf('ETHEREUM');
  const endpoint = endpointOf(chain, process.env.NODE_URL);
  const rpc = (method, params, decode, prepare) => call(endpoint, method, params, decode, {}, prepare);
  let peak = 0;
  setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()); }, 5).unref();
  const attempt = await readBlockFrom({ chain, evidence: 'proven' }, 5, rpc, endpoint.host);
  const { isProven, totals } = attempt.value ?? {};
  console.log(JSON.stringify({ ...attempt, value: { isProven, transactions: totals?.transactions }, peak }));`;

test('proves a block with 230 MB of receipts in a process whose heap has 64 MB', async () => {
  const { block, receipts } = bigBlock();
  let sent = 0;
  const server = createServer(async (request, response) => {
    const { id, method } = JSON.parse(await text(request));
    if (method === 'eth_getBlockByNumber') {
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: blockResponse(block, true) }));
      return;
    }
    response.write(`{"jsonrpc":"2.0","id":${id},"result":[`);
    for (const [index, receipt] of receipts.entries()) {
      const json = `${index > 0 ? ',' : ''}${JSON.stringify(receipt)}`;
      sent += json.length;
      if (!response.write(json)) await once(response, 'drain');
    }
    response.end(']}');
  });
  await using node = await serve(server);
  const child = spawn(
    process.execPath,
    ['--max-old-space-size=64', '--input-type=module', '--eval', READER],
    { env: { ...process.env, NODE_URL: node.url }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const printed = JSON.parse(await text(child.stdout));
  expect(sent).toBeGreaterThan(215 * MB);
  expect(printed).toMatchObject({ value: { isProven: true, transactions: COUNT } });
  // Most of it is the code and the heap.
  expect(printed.peak).toBeLessThan(300 * MB);
});
