import type { Chain } from '#core/chains/chains.ts';
import { blobGasAfter } from '#test/support/generators/random/random-blobs.ts';
import { addressOf } from './builders.ts';
import { hex, type Json, NO_BLOOM, NO_HASH, type RawBlock, sealBlock } from './seal.ts';

/** A transaction and its receipt, each with the members that differ from a transfer at 7 wei per gas. */
export interface Pair {
  readonly transaction?: Json;
  readonly receipt?: Json;
}

const TRANSFER: Json = {
  type: '0x0',
  from: addressOf('sender'),
  to: addressOf('receiver'),
  gas: hex(21_000),
  gasPrice: '0x7',
  value: '0x1',
  input: '0x',
  v: '0x1b',
  r: '0x1',
  s: '0x1',
};

/** Returns a sealed block with these transactions; number, parent and time are 0 unless given. */
export function sealedBlock(chain: Chain, pairs: readonly Pair[], header: Json = {}): RawBlock {
  const transactions = pairs.map(
    ({ transaction }, index): Json => ({ ...TRANSFER, nonce: hex(index), ...transaction }),
  );
  return sealBlock(chain, {
    header: {
      miner: addressOf('miner'),
      ...header,
      number: String(header.number ?? '0x0'),
      parentHash: String(header.parentHash ?? NO_HASH),
      timestamp: String(header.timestamp ?? '0x0'),
    },
    transactions,
    receipts: transactions.map(({ type, from, to, gasPrice }, index) => ({
      type,
      from,
      to,
      gasUsed: hex(21_000),
      effectiveGasPrice: gasPrice,
      status: '0x1',
      logs: [],
      logsBloom: NO_BLOOM,
      ...pairs[index]?.receipt,
    })),
  });
}

/** Returns blocks that continue each other, each sealed on the one before. */
export function sealedChain(
  chain: Chain,
  blocks: readonly { readonly pairs?: readonly Pair[]; readonly header: Json }[],
): readonly RawBlock[] {
  const sealed: RawBlock[] = [];
  for (const { pairs = [], header } of blocks) {
    const before = sealed.at(-1)?.header;
    const place = before && { number: hex(Number(before.number) + 1), parentHash: before.hash };
    const transactions = pairs.map(({ transaction = {} }) => transaction);
    const blobGas = before && blobGasAfter(chain, header, transactions, before);
    sealed.push(sealedBlock(chain, pairs, { ...place, ...header, ...blobGas }));
  }
  return sealed;
}
