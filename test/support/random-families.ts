import { NO_FEES } from '../../lambda/chains/fee-parts.ts';
import type { Chain } from '../../lambda/chains/chains.ts';
import type { OpStackRules } from '../../lambda/chains/rules.ts';
import type { Random } from './random.ts';
import {
  ACCESS_LIST,
  BLOB,
  type BlockPlace,
  DYNAMIC_FEE,
  LEGACY,
  perhapsWithoutPrice,
  type RandomTransaction,
  randomAddress,
  randomAmount,
  randomGas,
  SET_CODE,
  userTransaction,
} from './random-transactions.ts';

const EVERYWHERE = [LEGACY, ACCESS_LIST, DYNAMIC_FEE, SET_CODE];
const MOST = 4;
const address = (suffix: string) => `0x${suffix.padStart(40, '0')}`;
const several = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

/** Generates the transactions of one block: those of the protocol and 0 to 4 others. The rules are used for fork points only. */
export function randomTransactions({ rules }: Chain, random: Random, place: BlockPlace): RandomTransaction[] {
  const count = random.below(MOST + 1);
  switch (rules.family) {
    case 'ethereum':
      return several(count, () => ethereumTransaction(random, place));
    case 'bsc':
      return [
        ...several(count, () => bscUserTransaction(random, place)),
        ...several(random.below(3), () => bscSystemTransaction(random, place)),
      ];
    case 'polygon':
      return polygonTransactions(random, place, count, rules.stateSyncTypeFrom);
    case 'op-stack':
      return place.number < rules.bedrockBlock
        ? several(count, () => ovmTransaction(random, place))
        : bedrockTransactions(random, place, rules, count);
    case 'arbitrum':
      return place.number < rules.nitroBlock
        ? several(count, () => bidding(random, userTransaction(random, [0x78, 0x78, LEGACY])))
        : nitroTransactions(random, place, rules.nitroBlock, count);
  }
}

function ethereumTransaction(random: Random, place: BlockPlace): RandomTransaction {
  const types = place.isOld ? [LEGACY] : [...EVERYWHERE, BLOB, BLOB];
  return perhapsWithoutPrice(random, place, withBlobs(random, userTransaction(random, types)));
}

/** Blobs are a separate part of the fee. */
function withBlobs(random: Random, transaction: RandomTransaction): RandomTransaction {
  if (transaction.type !== BLOB) return transaction;
  const blobGasUsed = 131_072n * BigInt(1 + random.below(6));
  const blobGasPrice = randomAmount(random);
  return {
    ...transaction,
    fields: { blobGasUsed, blobGasPrice },
    paid: { ...transaction.paid, blob: blobGasUsed * blobGasPrice },
  };
}

const systemContract = (random: Random) => address(random.pick(['1000', '1001', '1002', '2002', '3000']));

/** To a system contract, at price 0, from the block's own miner. */
const bscSystemTransaction = (random: Random, place: BlockPlace): RandomTransaction =>
  perhapsWithoutPrice(
    random,
    place,
    userTransaction(random, [LEGACY], {
      from: place.miner,
      to: systemContract(random),
      price: 0n,
      isProtocol: true,
    }),
  );

/** Half of them lack one property of a system transaction. */
function bscUserTransaction(random: Random, place: BlockPlace): RandomTransaction {
  const from = place.miner;
  const nearMiss = random.pick([
    { to: systemContract(random), price: 0n },
    { from, to: systemContract(random), price: 1n + randomAmount(random) },
    { from, to: random.pick([address('1008'), address('2001'), randomAddress(random)]), price: 0n },
    { from, to: null, price: 0n },
    ...several(4, () => ({})),
  ]);
  return perhapsWithoutPrice(
    random,
    place,
    withBlobs(random, userTransaction(random, [...EVERYWHERE, BLOB], nearMiss)),
  );
}

/** State-sync has a type since the fork. random-block.ts adds the synthetic form before it. */
function polygonTransactions(random: Random, place: BlockPlace, count: number, typeFrom: number) {
  const users = several(count, () => {
    // Burning coins is a transfer to the zero address, but from a user and with gas.
    const burns = random.chance(0.2) ? { to: address('0') } : {};
    return perhapsWithoutPrice(random, place, userTransaction(random, EVERYWHERE, burns));
  });
  if (place.number < typeFrom || random.chance(0.5)) return users;
  const stateSync = userTransaction(random, [0x7f], {
    from: address('0'),
    to: address('0'),
    gasUsed: 0n,
    price: 0n,
    isPriceInReceipt: random.chance(0.5),
    isProtocol: true,
  });
  return [...users, stateSync];
}

/** Before Bedrock: legacy transactions, some without an L1 charge, some without an L2 price. */
function ovmTransaction(random: Random, place: BlockPlace): RandomTransaction {
  const l1Fee = random.chance(0.3) ? null : 1n + randomAmount(random);
  const transaction = perhapsWithoutPrice(random, place, userTransaction(random, [LEGACY]));
  return { ...transaction, fields: { l1Fee }, paid: { ...transaction.paid, l1Data: l1Fee ?? 0n } };
}

function bedrockTransactions(random: Random, place: BlockPlace, rules: OpStackRules, count: number) {
  // The block of the upgrade itself is empty.
  if (place.number === rules.bedrockBlock && random.chance(0.5)) return [];
  const operator = operatorFields(random, place, rules);
  const attributes = several(random.chance(0.2) ? 2 : 1, () =>
    unpaidTransaction(random, place, rules, 0x7e, {
      from: '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001',
      to: '0x4200000000000000000000000000000000000015',
      isProtocol: true,
    }),
  );
  const users = several(count, () =>
    random.chance(0.3)
      ? unpaidTransaction(random, place, rules, random.pick([0x7e, 0x7e, 0x7d]))
      : bedrockUserTransaction(random, place, rules, operator),
  );
  return [...attributes, ...users];
}

/** The operator fee parameters of a block; nodes omit both when both are zero. */
function operatorFields(random: Random, { timestamp }: BlockPlace, { isthmusTime }: OpStackRules) {
  if (timestamp < isthmusTime || random.chance(0.3)) return undefined;
  return {
    operatorFeeScalar: random.chance(0.2) ? 0n : random.bigintBelow(2n ** 32n),
    operatorFeeConstant: random.chance(0.2) ? 0n : random.bigintBelow(2n ** 64n),
  };
}

function bedrockUserTransaction(
  random: Random,
  place: BlockPlace,
  rules: OpStackRules,
  operator: ReturnType<typeof operatorFields>,
): RandomTransaction {
  const transaction = perhapsWithoutPrice(random, place, userTransaction(random, EVERYWHERE));
  const l1Data = randomAmount(random);
  const share = transaction.gasUsed * (operator?.operatorFeeScalar ?? 0n);
  const isJovian = place.timestamp >= rules.jovianTime;
  const constant = operator?.operatorFeeConstant ?? 0n;
  return {
    ...transaction,
    fields: { l1Fee: l1Data, ...operator, ...footprint(random, isJovian) },
    paid: {
      ...transaction.paid,
      l1Data,
      operator: (isJovian ? share * 100n : share / 1_000_000n) + constant,
    },
  };
}

/** Since Jovian, `blobGasUsed` is the data size of a transaction, without a fee. */
const footprint = (random: Random, isJovian: boolean) =>
  isJovian ? { blobGasUsed: randomGas(random), blobGasPrice: 1n } : {};

/** Deposits and the draft type 0x7d pay nothing, whatever the receipt reports. */
function unpaidTransaction(
  random: Random,
  place: BlockPlace,
  rules: OpStackRules,
  type: number,
  given: Partial<Omit<RandomTransaction, 'paid'>> = {},
): RandomTransaction {
  const charged = {
    l1Fee: randomAmount(random),
    ...operatorFields(random, place, rules),
    ...footprint(random, place.timestamp >= rules.jovianTime),
  };
  return {
    ...userTransaction(random, [type], {
      isPriceInReceipt: random.chance(0.5),
      fields: random.chance(0.5) ? charged : {},
      ...given,
    }),
    paid: NO_FEES,
  };
}

function nitroTransactions(random: Random, place: BlockPlace, nitroBlock: number, count: number) {
  if (place.number === nitroBlock && random.chance(0.5)) return [];
  const internal = userTransaction(random, [0x6a], {
    from: address('a4b05'),
    to: address('a4b05'),
    gasUsed: 0n,
    gasPrice: 0n,
    isProtocol: true,
  });
  return [internal, ...several(count, () => nitroUserTransactions(random)).flat()];
}

function nitroUserTransactions(random: Random): RandomTransaction[] {
  if (random.chance(0.3)) return retryable(random);
  const transaction = userTransaction(random, [...EVERYWHERE, 0x64, 0x65, 0x66, 0x68]);
  const fields = { gasUsedForL1: random.bigintBelow(transaction.gasUsed) };
  return [bidding(random, { ...transaction, fields })];
}

/**
 * On Arbitrum, the price of a transaction is a bid, and the sender pays the base fee. (Real block 150,000,000: bid 0xcd0a3c0,
 * paid 0x5f5e100.) So its receipt never lacks the price here.
 */
function bidding(random: Random, transaction: RandomTransaction): RandomTransaction {
  const namesABid = [LEGACY, ACCESS_LIST, 0x78].includes(transaction.type);
  return { ...transaction, gasPrice: transaction.price + (namesABid ? randomAmount(random) : 0n) };
}

/** A submission with an immediate redeem reports its gas limit, which the redeem reports again; without one it uses no gas. */
function retryable(random: Random): RandomTransaction[] {
  const isRedeemed = random.chance(0.7);
  const submission = userTransaction(random, [0x69], isRedeemed ? {} : { gasUsed: 0n });
  const paid = { ...NO_FEES, retryableDoubleCount: submission.gasUsed * submission.price };
  if (!isRedeemed) return [{ ...submission, paid }];
  const gasUsed = 1n + random.bigintBelow(submission.gasUsed);
  return [
    { ...submission, paid },
    userTransaction(random, [0x68], { gasUsed, price: submission.price, from: submission.from }),
  ];
}
