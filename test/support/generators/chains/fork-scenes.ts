import { type Chain, chainOf } from '#core/chains/chains.ts';
import type { BlobRules, Rules } from '#core/chains/rule-types.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import { hex, type Json, type RawBlock } from '#test/support/generators/blocks/seal.ts';
import { type Pair, sealedBlock, sealedChain } from '#test/support/generators/blocks/sealed-block.ts';
import { blobPriceOf } from '#test/support/generators/random/random-blobs.ts';
import { nitro, nitroRules, ofArbos } from './nitro.ts';
import { at } from './sample-days.ts';

/* A chain of three days with a fork in the second one, for each family of forks. */

/** Number of the first block of the fork; the day begins with block 81. */
export const FORK = 130;
const BLOCKS_PER_DAY = 80;
const SECONDS = 86_400 / BLOCKS_PER_DAY;
const timeOf = (number: number) => at(0, number * SECONDS);

export interface ForkScene {
  readonly name: string;
  /** With the rules of the version that knows the fork. */
  readonly chain: Chain;
  /** Rules of the version before. */
  readonly rulesBefore: Rules;
  readonly blocks: readonly RawBlock[];
  /** Modules of the version before, where the fork is not data: by path, a change of its exports. */
  readonly modules: Readonly<Record<string, (actual: Json) => Json>>;
  /** In the reason of a run that met the fork. */
  readonly problem: string;
}

type Content = { readonly header?: Json; readonly pairs?: readonly Pair[] };

const blocksOf = (chain: Chain, contentAt: (number: number) => Content): readonly RawBlock[] =>
  sealedChain(
    chain,
    Array.from({ length: 3 * BLOCKS_PER_DAY + 2 }, (_, number) => {
      const { header, pairs } = contentAt(number);
      return { header: { ...header, timestamp: hex(timeOf(number)) }, ...(number > 0 && pairs && { pairs }) };
    }),
  );

const ethereum = chainOf('ETHEREUM');
export const LONDON = { baseFeePerGas: '0x7', withdrawalsRoot: hashOf('withdrawals') };
export const CANCUN = {
  blobGasUsed: '0x0',
  excessBlobGas: '0x0',
  parentBeaconBlockRoot: hashOf('root'),
  requestsHash: hashOf('requests'),
};
const isForked = (number: number) => number >= FORK;
export const dynamic = (type: string, given: Json = {}): Pair => ({
  transaction: {
    type,
    chainId: '0x1',
    maxFeePerGas: '0x20',
    maxPriorityFeePerGas: '0x2',
    accessList: [],
    yParity: '0x0',
    ...given,
  },
  receipt: { effectiveGasPrice: '0x9' },
});

const newType: ForkScene = {
  name: 'a new transaction type',
  chain: ethereum,
  rulesBefore: ethereum.rules,
  blocks: blocksOf(ethereum, (number) => ({
    header: LONDON,
    pairs: [{}, isForked(number) ? dynamic('0x4', { authorizationList: [] }) : dynamic('0x2')],
  })),
  modules: {
    '#core/chains/transaction-types.ts': ({ isKnownType }) => ({
      isKnownType: (rules: Rules, type: number) =>
        type !== 4 && (isKnownType as (rules: Rules, type: number) => boolean)(rules, type),
    }),
  },
  problem: 'no fee rule covers its type 0x4',
};

const BPO2 = { target: 14, max: 21, updateFraction: 11_684_671, hasReservePrice: true };

/** The excess of blob gas, and the base fee in wei, with which a schedule begins. */
interface BlobMarket {
  readonly excess: number;
  readonly baseFee: bigint;
}

/**
 * Every block has three blobs, so that their price moves.
 * @param first block with the new schedule
 */
export function newSchedule(
  first: number,
  numbers: Omit<BlobRules, 'from'>,
  { excess, baseFee }: BlobMarket = { excess: 400_000_000, baseFee: 7n },
): ForkScene {
  if (!('blobSchedule' in ethereum.rules)) throw new Error('no blobs');
  const { rules } = ethereum;
  const chain = {
    ...ethereum,
    rules: { ...rules, blobSchedule: [...rules.blobSchedule, { ...numbers, from: timeOf(first) }] },
  };
  const price = baseFee + 2n;
  const transfer: Pair = {
    transaction: { gasPrice: hex(price) },
    receipt: { effectiveGasPrice: hex(price) },
  };
  const blobs = {
    transaction: {
      ...dynamic('0x3').transaction,
      maxFeePerGas: hex(2n * price),
      maxFeePerBlobGas: hex(10n ** 18n),
      blobVersionedHashes: [1, 2, 3].map((blob) => hashOf(`blob ${blob}`)),
    },
    receipt: { effectiveGasPrice: hex(price) },
  };
  const contentAt = () => ({
    header: { ...LONDON, ...CANCUN, baseFeePerGas: hex(baseFee), excessBlobGas: hex(excess) },
    pairs: [transfer, blobs],
  });
  const blocks: RawBlock[] = [];
  // The prices that receipts state follow from the excess that follows from the block before.
  for (const { header, transactions } of blocksOf(chain, contentAt)) {
    const fraction = Number(header.number) >= first ? numbers.updateFraction : BPO2.updateFraction;
    const blobPrice = blobPriceOf(BigInt(`${header.excessBlobGas}`), BigInt(fraction));
    const receipt = { ...blobs.receipt, blobGasUsed: hex(3 * 131_072), blobGasPrice: hex(blobPrice) };
    const pairs = transactions.length > 0 ? [transfer, { ...blobs, receipt }] : [];
    const parentHash = blocks.at(-1)?.header.hash ?? header.parentHash;
    blocks.push(sealedBlock(chain, pairs, { ...header, parentHash }));
  }
  return {
    name: 'a new schedule of blobs',
    chain,
    rulesBefore: rules,
    blocks,
    modules: {},
    problem: 'excessBlobGas',
  };
}

/** First block of a schedule with another update fraction alone, which no header shows. The next block that is read as JSON is 192. */
export const UNSEEN_FORK = 170;
export const unseenFork = (): ForkScene => newSchedule(UNSEEN_FORK, { ...BPO2, updateFraction: 15_000_000 });

function newArbos(): ForkScene {
  const chain = { ...nitro, rules: { ...nitroRules, lastArbosVersion: 62 } };
  return {
    name: 'a new ArbOS',
    chain,
    rulesBefore: nitroRules,
    blocks: blocksOf(chain, (number) => ({
      header: { ...ofArbos(isForked(number) ? 62 : 61), baseFeePerGas: '0x7' },
      pairs: [
        { transaction: { type: '0x6a', chainId: hex(42_161), gasPrice: '0x0' }, receipt: { gasUsed: '0x0' } },
        { receipt: { effectiveGasPrice: '0x7' } },
      ],
    })),
    modules: {},
    problem: 'ArbOS version 62 is newer than 61',
  };
}

/** Blocks whose headers have one more member from the fork on, as a node tells them to a version that does not know it. */
export const newHeaderField = (): readonly RawBlock[] =>
  blocksOf(ethereum, (number) => {
    const { requestsHash, ...before } = CANCUN;
    return { header: { ...LONDON, ...before, ...(isForked(number) && { requestsHash }) }, pairs: [{}] };
  }).map(({ header: { requestsHash, ...header }, ...block }) => ({
    ...block,
    header: { ...header, ...(requestsHash !== undefined && { newHash: requestsHash }) },
  }));

export const forkScenes = (): readonly ForkScene[] => [
  newType,
  newSchedule(FORK, { target: 2, max: 30, updateFraction: 15_000_000 }),
  newArbos(),
];
