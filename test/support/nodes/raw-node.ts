import type { UtcDay } from '#core/figures/calendar.ts';

/* Reads a node without the client and decoders under test. */

export type Json = Readonly<Record<string, unknown>>;

export async function rawCall<T>(url: string, method: string, ...params: readonly unknown[]): Promise<T> {
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

/** Returns the count and fees of each of the last days of a development chain, from a simple reading of the receipts. */
export async function rawFigures(url: string, days: readonly UtcDay[]) {
  const sums = new Map(days.map((day) => [day, { count: 0, wei: 0n }]));
  for (let at = 'latest'; ; ) {
    const block = await rawCall<RawBlock>(url, 'eth_getBlockByNumber', at, false);
    const day = new Date(Number(block.timestamp) * 1_000).toISOString().slice(0, 10);
    if (days.every((one) => day < one)) return sums;
    at = `0x${(Number(block.number) - 1).toString(16)}`;
    const sum = sums.get(day);
    if (!sum) continue;
    sum.count += block.transactions.length;
    for (const hash of block.transactions) {
      const receipt = await rawCall<RawReceipt>(url, 'eth_getTransactionReceipt', hash);
      if (receipt.type.toLowerCase() === '0x7e') continue;
      sum.wei += BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
      if (receipt.type === '0x3') sum.wei += BigInt(receipt.blobGasUsed) * BigInt(receipt.blobGasPrice);
    }
  }
}
