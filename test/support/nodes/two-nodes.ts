import { type Answer, startJsonRpcServer } from './json-rpc-server.ts';

/** Starts two nodes that answer alike, since one host alone cannot confirm a block that is not its final one. */
export async function startTwoNodes(answer: Answer) {
  const nodes = [await startJsonRpcServer(answer), await startJsonRpcServer(answer)];
  return {
    nodes,
    urls: nodes.map(({ url }) => url),
    hosts: nodes.map(({ host }) => host).toSorted(),
    /** The calls so far. */
    calls: () => nodes.flatMap(({ calls }) => calls),
    [Symbol.asyncDispose]: async () => {
      for (const node of nodes) await node[Symbol.asyncDispose]();
    },
  };
}
