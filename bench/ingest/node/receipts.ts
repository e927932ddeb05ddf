import { readFileSync } from 'node:fs';
import type { Rules } from '../../../lambda/chains/rules.ts';
import { PLACEHOLDERS } from './template.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface RawReceipt extends Fields {
  readonly gasUsed: string;
  readonly logs: readonly Fields[];
}

interface Sample {
  readonly block: Fields & { readonly miner: string };
  readonly receipts: readonly RawReceipt[];
}

/** A real header without its transactions, and every fourth of its receipts. */
export const sample: Sample = JSON.parse(readFileSync(new URL('receipts.json', import.meta.url), 'utf8'));

export const hexOf = (value: number | bigint): string => `0x${value.toString(16)}`;

/** Returns a hash that contains the block's number, so that the node can find the receipt. */
export const transactionHash = (index: number): string =>
  `0x${index.toString(16).padStart(56, '0')}${PLACEHOLDERS.digits}`;

/**
 * Returns a block's receipts, with placeholders for values that differ between blocks. They repeat real ones of Ethereum, and add the
 * family's fields and protocol transaction.
 */
export function receiptsOf(rules: Rules, count: number): readonly RawReceipt[] {
  const { protocol, fields } = familyOf(rules);
  let gasBefore = 0n;
  return Array.from({ length: count }, (_, index) => {
    const receipt = protocol[index] ?? { ...nth(sample.receipts, index), ...fields };
    gasBefore += BigInt(receipt.gasUsed);
    return placed({ ...receipt, cumulativeGasUsed: hexOf(gasBefore) }, index);
  });
}

function nth<T>(values: readonly T[], index: number): T {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('The sample has no receipts.');
  return value;
}

function placed(receipt: RawReceipt, index: number): RawReceipt {
  const place = {
    blockHash: PLACEHOLDERS.blockHash,
    blockNumber: `0x${PLACEHOLDERS.digits}`,
    transactionHash: transactionHash(index),
    transactionIndex: hexOf(index),
  };
  const logs = receipt.logs.map((log) => ({ ...log, ...place, blockTimestamp: PLACEHOLDERS.timestamp }));
  return { ...receipt, ...place, logs };
}

const NO_BLOOM = `0x${'0'.repeat(512)}`;

/** Returns the receipts of a family's protocol transactions, and the fields that its other receipts have beside Ethereum's. */
function familyOf(rules: Rules): { protocol: readonly RawReceipt[]; fields: Fields } {
  const made = { contractAddress: null, gasUsed: '0x0', logs: [], logsBloom: NO_BLOOM, status: '0x1' };
  switch (rules.family) {
    case 'ethereum':
    case 'polygon':
      return { protocol: [], fields: {} };
    case 'bsc': {
      const [to] = rules.systemContracts;
      const deposit = { ...made, type: '0x0', from: sample.block.miner, to, effectiveGasPrice: '0x0' };
      return { protocol: [{ ...deposit, gasUsed: '0x17c5d' }], fields: {} };
    }
    case 'arbitrum': {
      const self = '0x00000000000000000000000000000000000a4b05';
      const fields = { gasUsedForL1: '0x0', l1BlockNumber: '0x16e3600', timeboosted: false };
      const internal = { ...made, type: '0x6a', from: self, to: self, effectiveGasPrice: '0x989680' };
      return { protocol: [{ ...internal, ...fields }], fields };
    }
    case 'op-stack': {
      const from = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001';
      const to = '0x4200000000000000000000000000000000000015';
      const deposit = { ...made, type: '0x7e', from, to, effectiveGasPrice: '0x0', gasUsed: '0xb6d2' };
      return {
        protocol: [{ ...deposit, depositNonce: '0x1a2b3c4', depositReceiptVersion: '0x1' }],
        fields: {
          l1BaseFeeScalar: '0x8dd',
          l1BlobBaseFee: '0x1',
          l1BlobBaseFeeScalar: '0x101c12',
          l1Fee: '0x2a8ed8a6e',
          l1GasPrice: '0x1dcd6500',
          l1GasUsed: '0x6e4',
          blobGasUsed: '0x9c40',
          daFootprintGasScalar: '0x190',
        },
      };
    }
  }
}
