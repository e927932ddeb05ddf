import {
  type CamelCased,
  type Chain,
  chainInsights,
  coinsOf,
  type DayDetails,
  weiOf,
} from 'chain-insights-client';

/* node recompute.ts ETHEREUM yesterday: recomputes the figures of a day from the blocks of your own node. */

const { NODE_URL = 'http://localhost:8545', BEACON_URL } = process.env;
type Day = CamelCased<DayDetails>;

/** Headers between a day and the final block that are read at most. */
const MAX_LINKS = 10_000;

interface Block {
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly miner: string;
  readonly baseFeePerGas?: string;
  readonly transactions: readonly Transaction[];
}
interface Transaction {
  readonly hash: string;
  readonly gas: string;
  readonly blobVersionedHashes?: string[];
}
/** Nodes leave out what a chain, its era or a type does not have. */
interface Receipt extends Record<'gasUsed' | 'effectiveGasPrice' | 'transactionHash' | 'from', string> {
  readonly type?: string;
  readonly status?: string;
  readonly to: string | null;
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[] }[];
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
/** L1's state, upgrades, and the deployers of EIP-4788 and EIP-2935: senders of deposits that are the protocol's own. */
const OP_PROTOCOL =
  /^0x(0{40}|(dead){9}0001|4210{35}[0-7]|0b799c86a49deeb90402691f1041aa3af2d3c875|3462413af4609098e1e27a490f554f260213d685)$/;
const JOVIAN = 1_764_691_201;

/** Returns whether the protocol itself added a transaction. Types of transactions have one meaning on all chains. */
function isProtocol(chain: string, block: Block, receipt: Receipt): boolean {
  const { from, to, effectiveGasPrice } = receipt;
  const type = Number(receipt.type ?? 0);
  // Arbitrum's own transactions, and Polygon's state-syncs, which were of no type once.
  if (type === 0x6a || type === 0x7f) return true;
  if (chain === 'POLYGON' && from === ZERO && to === ZERO) return true;
  if (type === 0x7e) return OP_PROTOCOL.test(from);
  // System contracts of BSC, such as 0x…1000, called at price 0 by the block's own validator.
  const isSystem = chain === 'BSC' && /^0x0{36}(100[0-7]|200[02456]|3000)$/.test(to ?? '');
  return isSystem && BigInt(effectiveGasPrice) === 0n && from === block.miner;
}

/* The sums of a day by their names in its row. */
const counts = { blockCount: 0n, transactionCount: 0n, protocolTransactionCount: 0n, fees: 0n };
const parts = { executionFees: 0n, l1DataFees: 0n, operatorFees: 0n, blobFees: 0n };
const measures = {
  ...{ gasUsed: 0n, failedTransactionCount: 0n, baseFees: 0n, priorityFees: 0n, blobCount: 0n },
  retryableDoubleCount: 0n,
};
type Sums = typeof counts & typeof parts & typeof measures;
/** Percents of the transactions that pay a fee. */
const typicalFees = { medianFee: 50, p10Fee: 10, p90Fee: 90 };

const ARB_RETRYABLE_TX = `0x${'6e'.padStart(40, '0')}`;
/** Arbitrum's event `RedeemScheduled`. Its third topic is the hash of the redeem. */
const REDEEM_SCHEDULED = '0x5ccd009502509cf28762c67858994d85b163bb6e451f5e9df7c5e18c9c2e123e';

/** Returns what a transaction gave to redeems of Arbitrum's retryables, in wei: the gas of its receipt contains their gas limits. */
function donatedBy({ logs }: Receipt, { transactions, baseFeePerGas = '0x0' }: Block): bigint {
  const scheduled = logs
    .filter(({ address, topics }) => address === ARB_RETRYABLE_TX && topics[0] === REDEEM_SCHEDULED)
    .map(({ topics }) => topics[2]);
  return transactions
    .filter(({ hash }) => scheduled.includes(hash))
    .reduce((sum, { gas }) => sum + BigInt(gas) * BigInt(baseFeePerGas), 0n);
}

/** Returns the parts of what the sender of a transaction paid, in wei. */
function feesOf(block: Block, receipt: Receipt, donated: bigint) {
  const { gasUsed, effectiveGasPrice, blobGasUsed, blobGasPrice } = receipt;
  const type = Number(receipt.type ?? 0);
  const paid = { ...parts };
  // Deposits and state-sync transactions.
  if ([0x7e, 0x7d, 0x7f].includes(type)) return paid;
  const gas = BigInt(gasUsed);
  paid.executionFees = gas * BigInt(effectiveGasPrice) - donated;
  if (type === 0x3) paid.blobFees = BigInt(blobGasUsed ?? 0) * BigInt(blobGasPrice ?? 0);
  // Chains of the OP stack alone have these two.
  paid.l1DataFees = BigInt(receipt.l1Fee ?? 0);
  const scaled = gas * BigInt(receipt.operatorFeeScalar ?? 0);
  const constant = BigInt(receipt.operatorFeeConstant ?? 0);
  paid.operatorFees = (Number(block.timestamp) < JOVIAN ? scaled / 1_000_000n : scaled * 100n) + constant;
  return paid;
}

/** The first three digits of the fees at which buckets begin, from 100 wei on, and the end of the last. */
const BOUNDS = [100];
for (let bound = 100; bound < 1_000; BOUNDS.push(bound))
  bound = Math.min(1_000, Math.floor((bound * 104) / 100));

/** Returns the bounds of the bucket that a fee is in, in wei: it begins at the first, and ends before the second. */
function bucketOf(fee: bigint): readonly [from: bigint, to: bigint] {
  if (fee < 100n) return [fee, fee + 1n];
  const power = 10n ** BigInt(fee.toString().length - 3);
  const next = BOUNDS.findIndex((bound) => bound > Number(fee / power));
  return [BigInt(BOUNDS[next - 1] ?? 0) * power, BigInt(BOUNDS[next] ?? 0) * power];
}

/** Returns the part of a day's sums that is one transaction's. */
function figuresOf(chain: string, block: Block, blobs: number, receipt?: Receipt): Partial<Sums> {
  const counted = { transactionCount: 1n, blobCount: BigInt(blobs) };
  // Without a receipt: Polygon's old state-sync transaction, on some nodes.
  if (!receipt) return { ...counted, protocolTransactionCount: 1n };
  const donated = donatedBy(receipt, block);
  const paid = feesOf(block, receipt, donated);
  const gas = BigInt(receipt.gasUsed);
  // Nothing is above the base fee where no gas is paid for.
  const tip = paid.executionFees + donated - gas * BigInt(block.baseFeePerGas ?? 0);
  const priority = tip > 0n ? tip : 0n;
  return {
    ...counted,
    ...paid,
    retryableDoubleCount: donated,
    protocolTransactionCount: BigInt(isProtocol(chain, block, receipt)),
    fees: Object.values(paid).reduce((sum, wei) => sum + wei),
    gasUsed: gas,
    failedTransactionCount: BigInt(Number(receipt.status ?? 1) === 0),
    baseFees: paid.executionFees - priority,
    priorityFees: priority,
  };
}

/** Sums up the blocks of a day, each of which must be the child of the one before. */
async function recompute(chain: string, row: Day) {
  const { firstBlock: first, lastBlock: last } = row;
  if (!first || !last) throw new Error('The day has no block.');
  const sums: Sums = { ...counts, ...parts, ...measures };
  /** Numbers of transactions by the fee at which their bucket begins. */
  const buckets = new Map<bigint, number>();
  let parent = row.parentHash;
  for (let number = first.number; number <= last.number; number++) {
    const at = `0x${number.toString(16)}`;
    const [block, receipts] = await Promise.all([
      rpc<Block>('eth_getBlockByNumber', at, true),
      rpc<Receipt[]>('eth_getBlockReceipts', at),
    ]);
    const isOther = number === first.number && block.hash !== first.hash;
    if (isOther || block.parentHash !== parent)
      throw new Error(`Your node's block ${number} or its parent differs. Try another node.`);
    parent = block.hash;
    sums.blockCount += 1n;
    const byHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]));
    for (const { hash, blobVersionedHashes = [] } of block.transactions) {
      const figures = figuresOf(chain, block, blobVersionedHashes.length, byHash.get(hash));
      for (const [name, value] of Object.entries(figures)) sums[name as keyof Sums] += value;
      if (!figures.fees) continue;
      const [from] = bucketOf(figures.fees);
      buckets.set(from, (buckets.get(from) ?? 0) + 1);
    }
  }
  if (parent !== last.hash) throw new Error(`Your node has another block ${last.number}.`);
  return { sums, buckets };
}

/** Formats wei as the API does, without trailing zeros. */
const amountText = (wei: bigint) => coinsOf(wei).replace(/\.?0+$/, '');

const boundsText = (from: bigint, to: bigint) => `${amountText(from)} to ${amountText(to)}`;

/** Returns the bucket of the fee that some percent of the transactions that pay one do not exceed. */
function typicalFee(buckets: ReadonlyMap<bigint, number>, percent: number): string {
  const sorted = [...buckets].sort(([a], [b]) => (a < b ? -1 : 1));
  let rank = Math.ceil((sorted.reduce((sum, [, count]) => sum + count, 0) * percent) / 100);
  for (const [from, count] of sorted) {
    rank -= count;
    if (rank <= 0) return boundsText(...bucketOf(from));
  }
  return 'none';
}

/** Returns the name that the API has for a figure. */
const apiName = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns whether a figure is in coins. */
const isAmount = (name: string) => /fees$|DoubleCount$/i.test(name);

/** Formats a value of the row as the program formats its own. */
function servedText(name: string, value: unknown): string {
  if (isAmount(name)) return amountText(weiOf(String(value)));
  if (!(name in typicalFees)) return String(value);
  const { from, to } = value as Record<'from' | 'to', string>;
  return boundsText(weiOf(from), weiOf(to));
}

/** Prints a recomputed figure, and if the row has another one. It may lack a measure. */
function compare(row: Day, name: string, text: string) {
  const value = row[name as keyof Day];
  const isSkipped = value === undefined && (name in measures || name in typicalFees);
  const served = isSkipped ? undefined : servedText(name, value);
  const result = text === served ? 'as served' : isSkipped ? 'not served' : `OTHER THAN SERVED: ${served}`;
  console.log(`${apiName(name).padEnd(28)}${text}  ${result}`);
  if (text !== served && !isSkipped) process.exitCode = 1;
}

interface BeaconHeader {
  readonly beacon: { readonly slot: string };
  readonly execution: { readonly block_number: string; readonly block_hash: string };
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
  const answer = (await (await fetch(url)).json()) as { readonly data: { readonly header: BeaconHeader } };
  const { beacon, execution } = answer.data.header;
  if (Number(beacon.slot) !== slot) throw new Error(`Your beacon node has ${root} at slot ${beacon.slot}.`);
  return { number: Number(execution.block_number), hash: execution.block_hash };
}

/** Returns why the last block of a day is final, by what your own nodes say. */
async function finalityOf({ finality, lastBlock: last }: Day) {
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
      return 'not stated';
  }
}

async function main([chain = 'ETHEREUM', date = 'yesterday']: string[]) {
  const { rows } = await chainInsights().days({ chain: chain as Chain, startDate: date, endDate: date });
  const [row] = rows;
  if (!row) throw new Error(`${chain} ${date} is not final.`);
  const { sums, buckets } = await recompute(chain, row);
  for (const [name, value] of Object.entries(sums))
    compare(row, name, isAmount(name) ? amountText(value) : String(value));
  for (const [name, percent] of Object.entries(typicalFees)) compare(row, name, typicalFee(buckets, percent));
  console.log(`${'finality'.padEnd(28)}${await finalityOf(row)}`);
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
