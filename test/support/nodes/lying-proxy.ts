import { type Call, type JsonRpcServer, type NodeResponse, startJsonRpcServer } from './json-rpc-server.ts';
import { type Json, rawCall } from './raw-node.ts';

/** A block with all its transactions and receipts, as a node gives them. */
interface WholeBlock {
  readonly block: Json & { readonly transactions: readonly Json[] };
  readonly receipts: readonly Json[];
}

type Lie = (whole: WholeBlock) => WholeBlock;

const raised = (json: Json, ...fields: readonly string[]): Json => ({
  ...json,
  ...Object.fromEntries(
    fields.flatMap((field) =>
      typeof json[field] === 'string' ? [[field, `0x${(BigInt(json[field]) + 1n).toString(16)}`]] : [],
    ),
  ),
});

const lastRaised = (list: readonly Json[], ...fields: readonly string[]): readonly Json[] =>
  list.map((item, index) => (index === list.length - 1 ? raised(item, ...fields) : item));

const withTransactions = ({ block }: WholeBlock, transactions: readonly Json[]) => ({
  ...block,
  transactions,
});

/** Lies that a node tells consistently in all its responses about a block. */
export const lies = {
  'a transaction cut': (whole) => ({
    block: withTransactions(whole, whole.block.transactions.slice(0, -1)),
    receipts: whole.receipts.slice(0, -1),
  }),
  'a gas price raised by 1': (whole) => ({
    block: withTransactions(whole, lastRaised(whole.block.transactions, 'gasPrice')),
    receipts: lastRaised(whole.receipts, 'effectiveGasPrice'),
  }),
  'gas raised by 1': (whole) => ({
    block: { ...whole.block, ...raised(whole.block, 'gasUsed') },
    receipts: lastRaised(whole.receipts, 'gasUsed', 'cumulativeGasUsed'),
  }),
  'a base fee raised by 1': (whole) => ({
    block: { ...whole.block, ...raised(whole.block, 'baseFeePerGas') },
    receipts: lastRaised(whole.receipts, 'effectiveGasPrice'),
  }),
} as const satisfies Record<string, Lie>;

/** Starts a proxy in front of a node. It lies about each block with transactions, when asked for all of it. */
export const startLyingProxy = (url: string, lie: keyof typeof lies): Promise<JsonRpcServer> =>
  // The node may be gone at the end of a test.
  startJsonRpcServer((call) => respond(url, lie, call).catch(() => ({ hangUp: true })));

async function respond(url: string, lie: keyof typeof lies, { method, params }: Call): Promise<NodeResponse> {
  const [at, isFull] = params;
  const isBlock = method === 'eth_getBlockByNumber' && isFull === true;
  if (!isBlock && method !== 'eth_getBlockReceipts') return { result: await rawCall(url, method, ...params) };
  const [block, receipts] = await Promise.all([
    rawCall<WholeBlock['block']>(url, 'eth_getBlockByNumber', at, true),
    rawCall<WholeBlock['receipts']>(url, 'eth_getBlockReceipts', at),
  ]);
  const told = block.transactions.length > 0 ? lies[lie]({ block, receipts }) : { block, receipts };
  return { result: isBlock ? told.block : told.receipts };
}
