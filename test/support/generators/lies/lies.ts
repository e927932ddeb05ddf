import { hashOf } from '#test/support/generators/blocks/builders.ts';
import { hex, sealBlock, withHeader } from '#test/support/generators/blocks/seal.ts';
import { blobPriceOf } from '#test/support/generators/random/random-blobs.ts';
import type { RandomBlock } from '#test/support/generators/random/random-block.ts';
import { EMPTY_ROOT } from '#test/support/generators/random/random-header.ts';
import { l1FeeOf, l1Input, payloadOf } from '#test/support/generators/random/random-l1.ts';
import { hasProvableL1Fee, without } from '#test/support/nodes/fault-scene.ts';
import {
  isOneOf,
  isPaid,
  type Lie,
  type LieScene,
  pickPlace,
  placesOf,
  plus,
  raised,
  usesGas,
  withPrice,
} from './lie-parts.ts';
import { atOne, transactionLies } from './transaction-lies.ts';

/*
 * Lies that a node tells consistently in all its responses about a block. Each one keeps the block's hash and looks plausible: only
 * the hashes contradict it. Nodes tell them only about blocks that can be proven.
 */

const A_DAY = 86_400;

function cutAt(block: RandomBlock, place: number | undefined): RandomBlock | undefined {
  if (place === undefined) return undefined;
  const { transactions, receipts } = block;
  return { ...block, transactions: transactions.toSpliced(place, 1), receipts: receipts.toSpliced(place, 1) };
}

const all = () => true;

/** Cuts a transaction and makes everything that a node without proofs could check fit again. */
function cutSmoothly(block: RandomBlock, { random }: LieScene): RandomBlock | undefined {
  const place = pickPlace(random, placesOf(block, all).slice(0, -1));
  const gas = place === undefined ? 0n : BigInt(`${block.receipts[place]?.gasUsed}`);
  const cut = cutAt(block, place);
  if (!cut || place === undefined) return undefined;
  return {
    ...cut,
    header: raised(block.header, 'gasUsed', -gas) as RandomBlock['header'],
    transactions: cut.transactions.map((one, index) => ({ ...one, transactionIndex: hex(index) })),
    receipts: cut.receipts.map((one, index) => ({
      ...(index < place || one === block.stateSync ? one : raised(one, 'cumulativeGasUsed', -gas)),
      transactionIndex: hex(index),
    })),
  };
}

function raiseGas(block: RandomBlock, { random }: LieScene): RandomBlock | undefined {
  const place = pickPlace(
    random,
    placesOf(block, (_, receipt) => usesGas(receipt)),
  );
  if (place === undefined) return undefined;
  return {
    ...block,
    header: raised(block.header, 'gasUsed') as RandomBlock['header'],
    receipts: block.receipts.map((one, index) => {
      if (index < place || one === block.stateSync) return one;
      const later = raised(one, 'cumulativeGasUsed');
      return index === place ? raised(later, 'gasUsed') : later;
    }),
  };
}

/** Moves gas from a transaction to the one before it, which changes neither sum. */
function moveGas(block: RandomBlock, { random }: LieScene): RandomBlock | undefined {
  const place = pickPlace(random, placesOf(block, (_, receipt) => usesGas(receipt)).slice(1));
  const before = place && block.receipts[place - 1];
  const receipt = place && block.receipts[place];
  if (!place || !before || !receipt) return undefined;
  const richer = raised(raised(before, 'gasUsed'), 'cumulativeGasUsed');
  const poorer = raised(receipt, 'gasUsed', -1);
  return { ...block, receipts: block.receipts.with(place - 1, richer).with(place, poorer) };
}

/** Tells other transactions, each with its own hash, below the right header. */
function resealBody(block: RandomBlock, scene: LieScene): RandomBlock | undefined {
  const { world, random } = scene;
  const told = transactionLies[
    random.pick(['gas-price-raised', 'max-fee-raised', 'transaction-changed'] as const)
  ](block, scene);
  if (!told || block.stateSync) return undefined;
  const { transactions, receipts } = sealBlock(world.chain, told);
  const blockHash = block.header.hash;
  return {
    ...block,
    transactions: transactions.map((one) => ({ ...one, blockHash })),
    receipts: receipts.map((one) => ({ ...one, blockHash })),
  };
}

function raiseBaseFee(block: RandomBlock): RandomBlock | undefined {
  const { header, receipts } = block;
  if (header.baseFeePerGas === undefined) return undefined;
  return {
    ...withHeader(block, { baseFeePerGas: plus(header.baseFeePerGas, 1) }),
    receipts: receipts.map((one) => (isOneOf(one, ['0x0', '0x1']) || !isPaid(one) ? one : withPrice(one))),
  };
}

/** Raises the price of blobs on every receipt, and the excess that it follows from. */
function raiseExcess(block: RandomBlock, { world }: LieScene): RandomBlock | undefined {
  const { rules } = world.chain;
  const { header, receipts } = block;
  if (!('blobSchedule' in rules) || header.excessBlobGas === undefined) return undefined;
  const time = Number(header.timestamp);
  const fraction = BigInt(rules.blobSchedule.findLast(({ from }) => from <= time)?.updateFraction ?? 1);
  const excess = BigInt(`${header.excessBlobGas}`) + fraction;
  const blobGasPrice = hex(blobPriceOf(excess, fraction));
  return {
    ...withHeader(block, { excessBlobGas: hex(excess) }),
    receipts: receipts.map((one) => (one.type === '0x3' ? { ...one, blobGasPrice } : one)),
  };
}

/** Tells other L1 attributes, with the L1 fees that follow from them. */
function changeL1(
  block: RandomBlock,
  { world: { chain } }: LieScene,
  change: (l1: NonNullable<RandomBlock['l1']>) => NonNullable<RandomBlock['l1']>,
): RandomBlock | undefined {
  const { rules } = chain;
  if (rules.family !== 'op-stack' || !block.l1) return undefined;
  const l1 = change(block.l1);
  const [honest, told] = [l1Input(block.l1), l1Input(l1)];
  const time = Number(block.header.timestamp);
  const operator = {
    operatorFeeScalar: hex(l1.operatorFeeScalar),
    operatorFeeConstant: hex(l1.operatorFeeConstant),
  };
  const hasOperatorFee = l1.operatorFeeScalar + l1.operatorFeeConstant > 0n;
  return {
    ...block,
    transactions: block.transactions.map((one) => (one.input === honest ? { ...one, input: told } : one)),
    receipts: block.receipts.map((one, index) => {
      const transaction = block.transactions[index];
      if (!transaction || !isPaid(transaction)) return one;
      return {
        ...without(one, 'operatorFeeScalar', 'operatorFeeConstant'),
        l1Fee: hex(l1FeeOf(rules, time, l1, payloadOf(chain, transaction))),
        ...(hasOperatorFee && operator),
      };
    }),
  };
}

/** Gives another block of the chain, or an orphaned one, the hash of this one. */
function fabricate(block: RandomBlock, { world, random }: LieScene): RandomBlock | undefined {
  const number = Number(block.header.number);
  const other = random.pick(
    [world.blocks[number - 1], world.blocks[number + 1], world.siblings[number]].filter(
      (one) => one !== undefined,
    ),
  );
  const { hash, parentHash, number: told, timestamp } = block.header;
  return { ...other, header: { ...other.header, hash, parentHash, number: told, timestamp } };
}

const HASHED = [
  'sha3Uncles',
  'stateRoot',
  'logsBloom',
  'extraData',
  'mixHash',
  'gasLimit',
  'difficulty',
  'requestsHash',
];

export const lies = {
  ...transactionLies,
  'transaction-cut': (block, { random }) => cutAt(block, pickPlace(random, placesOf(block, all))),
  'last-transaction-cut': (block) => cutAt(block, placesOf(block, all).at(-1)),
  'transaction-cut-smoothly': cutSmoothly,
  'gas-used-raised': raiseGas,
  'gas-moved': moveGas,
  'body-resealed': resealBody,
  'base-fee-raised': raiseBaseFee,
  'l1-fee-raised': (block, scene) =>
    hasProvableL1Fee(scene.world.chain, block)
      ? atOne(isPaid, (transaction, receipt) => [transaction, raised(receipt, 'l1Fee')])(block, scene)
      : undefined,
  'l1-attributes-raised': (block, scene) =>
    changeL1(block, scene, (l1) => ({ ...l1, baseFee: l1.baseFee + 1_000_000n, scalar: l1.scalar + 1n })),
  'operator-fee-removed': (block, scene) => {
    const hasOperatorFee = block.l1 && block.l1.operatorFeeScalar + block.l1.operatorFeeConstant > 0n;
    return hasOperatorFee
      ? changeL1(block, scene, (l1) => ({ ...l1, operatorFeeScalar: 0n, operatorFeeConstant: 0n }))
      : undefined;
  },
  'excess-blob-gas-raised': raiseExcess,
  'miner-changed': (block) => {
    const sender = block.transactions.find(({ from }) => from !== block.header.miner)?.from;
    return sender === undefined ? undefined : withHeader(block, { miner: sender });
  },
  'timestamp-moved': (block, { random }) =>
    withHeader(block, { timestamp: plus(block.header.timestamp, random.pick([A_DAY, 3_600, 1])) }),
  'header-changed': (block, { random, name }) => {
    const member = random.pick(HASHED.filter((one) => one in block.header));
    const { length } = `${block.header[member]}`;
    return withHeader(block, {
      [member]: `0xf1${hashOf(name).slice(2).repeat(8)}`.slice(0, Math.max(4, length)),
    });
  },
  'body-emptied-smoothly': (block) =>
    placesOf(block, all).length === 0
      ? undefined
      : {
          ...withHeader(block, { transactionsRoot: EMPTY_ROOT, receiptsRoot: EMPTY_ROOT, gasUsed: '0x0' }),
          transactions: [],
          receipts: [],
        },
  'block-fabricated': fabricate,
} satisfies Record<string, Lie>;

export type LieKind = keyof typeof lies;
export const lieKinds = Object.keys(lies) as readonly LieKind[];
