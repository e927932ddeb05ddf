import { type Answer, startJsonRpcServer } from './json-rpc-server.ts';

/** Starts a node for each answer. */
export async function startNodes(answers: readonly Answer[]) {
  const nodes = await Promise.all(answers.map(startJsonRpcServer));
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

/** Starts two nodes that answer alike, since one host alone cannot confirm a block that is not its final one. */
export const startTwoNodes = (answer: Answer) => startNodes([answer, answer]);
