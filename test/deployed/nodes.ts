import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createServer } from 'node:tls';
import { ANY_ADDRESS, LOOPBACK } from '#local/listen.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { type FaultKind, harmlessKinds, honestKinds } from '#test/support/nodes/faults.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { misbehavingNode } from '#test/support/nodes/misbehaving-node.ts';
import type { KnownChain } from './known-chain.ts';

/** A certificate that the deployed functions trust. */
export interface NodeCertificate {
  readonly certFile: string;
  readonly keyFile: string;
  /** Name in the certificate, under which functions reach this machine. */
  readonly host: string;
}

/** The share of responses of the faulty node that have each kind of fault. */
const FAULT_RATE = 0.02;

/** Refused and broken responses, except those that take half a minute each, or an hour, as a daily limit does. */
const isInjected = (kind: FaultKind) =>
  honestKinds.has(kind) && !harmlessKinds.has(kind) && !['hang', 'http-429', 'rate-limited'].includes(kind);

/**
 * Starts two nodes of a chain that answer over TLS. The first one is faulty at times, so the second one is needed. They end with this
 * process.
 * @returns their URLs
 */
export async function startNodes(
  { world }: KnownChain,
  certificate: NodeCertificate,
): Promise<readonly string[]> {
  const newest = world.blocks.length - 1;
  const faulty = misbehavingNode({
    world,
    seed: 0,
    name: 'faulty',
    finalizedAt: () => newest,
    rateOf: (kind) => (isInjected(kind) ? FAULT_RATE : 0),
  });
  const correct = answerFrom(world.blocks, { chainId: world.chain.id });
  return Promise.all(
    [faulty.answer, correct].map(async (answer) => {
      const { url } = await startJsonRpcServer(answer);
      return startTls(Number(new URL(url).port), certificate);
    }),
  );
}

/** Starts to listen for TLS connections, and forwards them to a port of this machine. Returns the URL. */
async function startTls(port: number, { certFile, keyFile, host }: NodeCertificate): Promise<string> {
  const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (socket) => {
    const inner = connect(port, LOOPBACK);
    // Either side may break the connection: the faulty node does so on purpose.
    pipeline(socket, inner, socket).catch(() => inner.destroy());
  });
  server.on('tlsClientError', () => {});
  server.listen(0, host === 'localhost' ? LOOPBACK : ANY_ADDRESS);
  await once(server, 'listening');
  return `https://${host}:${(server.address() as AddressInfo).port}/`;
}
