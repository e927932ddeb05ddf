import { type Chain, chainInsights, coinsOf, type DayDetails, weiOf } from 'chain-insights-client';

/* node recompute.ts ETHEREUM 2025-11-01: recomputes the figures of a day from the blocks of your own node. */

const { CHAIN_INSIGHTS_URL = 'http://localhost:3000', CHAIN_INSIGHTS_KEY = '' } = process.env;
const { NODE_URL = 'http://localhost:8545', BEACON_URL } = process.env;
/** Headers between a day and the final block that are read at most. */
const MAX_LINKS = 10_000;

interface Block {
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly miner: string;
  readonly transactions: readonly { readonly hash: string; readonly type?: string }[];
}
/** Nodes leave out what a chain or a type does not have. */
interface Receipt extends Record<'gasUsed' | 'effectiveGasPrice' | 'transactionHash' | 'from', string> {
  readonly type?: string;
  readonly to: string | null;
  readonly blobGasUsed?: string;
  readonly blobGasPrice?: string;
  readonly l1Fee?: string | null;
  readonly operatorFeeScalar?: string;
  readonly operatorFeeConstant?: string;
}

async function rpc<T>(method: string, ...params: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = fetch(NODE_URL, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const { result, error } = await answer
    .then((response) => response.json() as Promise<{ result?: T; error?: { message: string } }>)
    .catch(({ message, cause = message }: Error) => {
      throw new Error(
        `The node in NODE_URL gave no answer: ${cause}. Correct the variable, or start the node.`,
      );
    });
  if (result === undefined || result === null)
    throw new Error(`The node has no ${method} ${params[0]}: ${error?.message}`);
  return result;
}

const ZERO = `0x${'0'.repeat(40)}`;
const L1_ATTRIBUTES_DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001';
const JOVIAN = 1_764_691_201;

/** Returns whether the protocol itself added a transaction. */
function isProtocol(chain: string, block: Block, receipt: Receipt): boolean {
  const { from, to, effectiveGasPrice } = receipt;
  const type = Number(receipt.type ?? 0);
  if (chain === 'ARBITRUM') return type === 0x6a;
  if (chain === 'POLYGON') return type === 0x7f || (from === ZERO && to === ZERO);
  if (chain === 'BSC') {
    // System contracts, such as 0x…1000, called at price 0 by the block's own validator.
    const isSystem = /^0x0{36}(100[0-7]|200[02456]|3000)$/.test(to ?? '');
    return isSystem && BigInt(effectiveGasPrice) === 0n && from === block.miner;
  }
  return chain !== 'ETHEREUM' && type === 0x7e && from === L1_ATTRIBUTES_DEPOSITOR;
}

const parts = ['execution_fees', 'l1_data_fees', 'operator_fees', 'blob_fees'] as const;

/** Returns the parts of what the sender of a transaction paid, in wei. */
function feesOf(chain: string, block: Block, receipt: Receipt) {
  const { gasUsed, effectiveGasPrice, blobGasUsed, blobGasPrice } = receipt;
  const type = Number(receipt.type ?? 0);
  const paid = { execution_fees: 0n, l1_data_fees: 0n, operator_fees: 0n, blob_fees: 0n };
  // Deposits, state-sync transactions, and submissions of retryables, whose gas the redeem pays.
  if ([0x7e, 0x7d, 0x7f].includes(type) || (chain === 'ARBITRUM' && type === 0x69)) return paid;
  const gas = BigInt(gasUsed);
  paid.execution_fees = gas * BigInt(effectiveGasPrice);
  if (type === 0x3) paid.blob_fees = BigInt(blobGasUsed ?? 0) * BigInt(blobGasPrice ?? 0);
  if (chain !== 'OPTIMISM' && chain !== 'BASE') return paid;
  paid.l1_data_fees = BigInt(receipt.l1Fee ?? 0);
  const scaled = gas * BigInt(receipt.operatorFeeScalar ?? 0);
  const constant = BigInt(receipt.operatorFeeConstant ?? 0);
  paid.operator_fees = (Number(block.timestamp) < JOVIAN ? scaled / 1_000_000n : scaled * 100n) + constant;
  return paid;
}

/** Sums up the blocks of a day, each of which must be the child of the one before. */
async function recompute(chain: string, row: DayDetails) {
  const { first_block: first, last_block: last } = row;
  if (!first) throw new Error('The day has no block.');
  const fees = { execution_fees: 0n, l1_data_fees: 0n, operator_fees: 0n, blob_fees: 0n };
  const counts = { block_count: 0, transaction_count: 0, protocol_transaction_count: 0 };
  // Days that earlier versions read may lack it.
  let parent = row.parent_hash;
  for (let number = first.number; number <= last.number; number++) {
    const at = `0x${number.toString(16)}`;
    const [block, receipts] = await Promise.all([
      rpc<Block>('eth_getBlockByNumber', at, true),
      rpc<Receipt[]>('eth_getBlockReceipts', at),
    ]);
    const isOther = number === first.number && block.hash !== first.hash;
    if (isOther || block.parentHash !== (parent ?? block.parentHash))
      throw new Error(`Your node's block ${number} or its parent differs. Try another node.`);
    parent = block.hash;
    counts.block_count += 1;
    counts.transaction_count += block.transactions.length;
    const byHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]));
    for (const { hash } of block.transactions) {
      const receipt = byHash.get(hash);
      // Without a receipt: Polygon's old state-sync transaction, on some nodes.
      if (!receipt || isProtocol(chain, block, receipt)) counts.protocol_transaction_count += 1;
      const paid = receipt && feesOf(chain, block, receipt);
      for (const part of parts) fees[part] += paid?.[part] ?? 0n;
    }
  }
  if (parent !== last.hash) throw new Error(`Your node has another block ${last.number}.`);
  return { ...counts, fees: Object.values(fees).reduce((sum, wei) => sum + wei), ...fees };
}

interface Bootstrap {
  readonly data: {
    readonly header: {
      readonly beacon: { readonly slot: string };
      readonly execution: { readonly block_number: string; readonly block_hash: string };
    };
  };
}

type Header = Pick<Block, 'hash' | 'parentHash'>;

const header = (number: number) => rpc<Header>('eth_getBlockByNumber', `0x${number.toString(16)}`, false);

/** Follows the blocks from the last one of a day to a final one. Returns what that shows. */
async function linkTo(last: { number: number; hash: string }, final: { number: number; hash: string }) {
  if (final.number < last.number) throw new Error(`Block ${final.number} is before the end of the day.`);
  if ((await header(final.number)).hash !== final.hash)
    throw new Error(`Your node has another block ${final.number} than the final one.`);
  if (final.number - last.number > MAX_LINKS) return 'your node has it too';
  let { hash } = last;
  for (let number = last.number + 1; number <= final.number; number++) {
    const next = await header(number);
    if (next.parentHash !== hash) throw new Error(`Block ${number} does not continue the day.`);
    ({ hash } = next);
  }
  return `${final.number - last.number} headers lead to it`;
}

/** Reads the block that a beacon block contains, from a beacon node of your choice. */
async function blockOfBeacon(slot: number, root: string) {
  const url = `${BEACON_URL}/eth/v1/beacon/light_client/bootstrap/${root}`;
  const answer = await fetch(url).then((response) => response.json() as Promise<Bootstrap>);
  const { beacon, execution } = answer.data.header;
  if (Number(beacon.slot) !== slot) throw new Error(`Your beacon node has ${root} at slot ${beacon.slot}.`);
  return { number: Number(execution.block_number), hash: execution.block_hash };
}

/** Returns why the last block of a day is final, by what your own nodes say. */
async function finalityOf({ finality, last_block: last }: DayDetails) {
  switch (finality?.kind) {
    case 'sync committee': {
      const name = `sync committee, slot ${finality.slot}, ${finality.root}`;
      if (!BEACON_URL) return `${name}; set BEACON_URL to a beacon node to check it`;
      return `${name}; ${last && (await linkTo(last, await blockOfBeacon(finality.slot, finality.root)))}`;
    }
    case 'fast finality': {
      const { source, target } = finality;
      if ((await header(target.number)).parentHash !== source.hash)
        throw new Error(`Block ${target.number} is not the child of block ${source.number}.`);
      return `votes for block ${source.number}; ${last && (await linkTo(last, source))}`;
    }
    case 'reported':
      return `reported by ${finality.hosts.join(', ') || 'hosts whose names were not kept'}`;
    default:
      return 'not stated: an earlier version read this day';
  }
}

async function main([chain = 'ETHEREUM', date = 'yesterday']: string[]) {
  const api = chainInsights({ url: CHAIN_INSIGHTS_URL, key: CHAIN_INSIGHTS_KEY });
  const { rows } = await api.days({ chain: chain as Chain, start_date: date, end_date: date });
  const [row] = rows;
  if (!row) throw new Error(`${chain} ${date} is not final.`);
  for (const [name, value] of Object.entries(await recompute(chain, row))) {
    const served = row[name as keyof DayDetails];
    const isSame = typeof value === 'bigint' ? value === weiOf(String(served)) : value === served;
    const shown = typeof value === 'bigint' ? coinsOf(value) : value;
    console.log(`${name.padEnd(28)}${shown}  ${isSame ? 'as served' : `OTHER THAN SERVED: ${served}`}`);
    if (!isSame) process.exitCode = 1;
  }
  console.log(`${'finality'.padEnd(28)}${await finalityOf(row)}`);
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
