import type { UtcDay } from '#core/figures/calendar.ts';

/* Reads a node without the client and decoders under test. */

async function rawCall<T>(url: string, method: string, ...params: readonly unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  return ((await response.json()) as { result: T }).result;
}

interface RawBlock {
  readonly number: string;
  readonly timestamp: string;
  readonly transactions: readonly string[];
}

type RawReceipt = Readonly<
  Record<'type' | 'gasUsed' | 'effectiveGasPrice' | 'blobGasUsed' | 'blobGasPrice', string>
>;

function paidFor({ type, gasUsed, effectiveGasPrice, blobGasUsed, blobGasPrice }: RawReceipt): bigint {
  if (type.toLowerCase() === '0x7e') return 0n;
  const blobs = type === '0x3' ? BigInt(blobGasUsed) * BigInt(blobGasPrice) : 0n;
  return BigInt(gasUsed) * BigInt(effectiveGasPrice) + blobs;
}

/** Returns the count and fees of each of the last days of a development chain through a block, from a simple reading of the receipts. */
export async function rawFigures(url: string, days: readonly UtcDay[], last = 'latest') {
  const sums = new Map(days.map((day) => [day, { count: 0, wei: 0n }]));
  for (let at = last; ; ) {
    const block = await rawCall<RawBlock>(url, 'eth_getBlockByNumber', at, false);
    const day = new Date(Number(block.timestamp) * 1_000).toISOString().slice(0, 10);
    if (days.every((one) => day < one)) return sums;
    at = `0x${(Number(block.number) - 1).toString(16)}`;
    const sum = sums.get(day);
    if (!sum) continue;
    sum.count += block.transactions.length;
    for (const hash of block.transactions) {
      sum.wei += paidFor(await rawCall<RawReceipt>(url, 'eth_getTransactionReceipt', hash));
    }
  }
}

interface Priced {
  readonly logs: readonly { readonly topics: readonly string[]; readonly data: string }[];
}

const UPDATED = '0x0559884fd3a460db3073b7fc896cc77986f16e378210ded43186175bf646fc5f';

/**
 * Returns the fees of each day in 10⁻²⁶ dollars, from a simple reading of the receipts: each block at the last price before it.
 * @param first number of the first block
 */
export async function rawDollars(url: string, first: number): Promise<ReadonlyMap<UtcDay, bigint>> {
  const sums = new Map<UtcDay, bigint>();
  const last = Number(await rawCall<string>(url, 'eth_blockNumber'));
  let price = 0n;
  for (let number = first; number <= last; number++) {
    const at = `0x${number.toString(16)}`;
    const { timestamp } = await rawCall<RawBlock>(url, 'eth_getBlockByNumber', at, false);
    const receipts = await rawCall<readonly (RawReceipt & Priced)[]>(url, 'eth_getBlockReceipts', at);
    const day = new Date(Number(timestamp) * 1_000).toISOString().slice(0, 10);
    for (const receipt of receipts) sums.set(day, (sums.get(day) ?? 0n) + paidFor(receipt) * price);
    const logs = receipts.flatMap((receipt) => receipt.logs);
    price = BigInt(logs.findLast(({ topics }) => topics[0] === UPDATED)?.topics[1] ?? price);
  }
  return sums;
}
