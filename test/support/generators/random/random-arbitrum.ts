import { chainOf } from '#core/chains/chains.ts';
import { NO_FEES } from '#core/figures/fee-parts.ts';
import { hashTransactions } from '#core/proof/fields/transactions.ts';
import type { RpcTransaction } from '#core/proof/json/rpc-types.ts';
import { hex, type Json } from '#test/support/generators/blocks/seal.ts';
import type { Random } from './random.ts';
import type { BlockPlace } from './random-place.ts';
import {
  ACCESS_LIST,
  address,
  commonFields,
  DYNAMIC_FEE,
  LEGACY,
  type RandomTransaction,
  randomAddress,
  randomAmount,
  randomBid,
  randomData,
  randomGas,
  randomHash,
  SET_CODE,
  several,
  userTransaction,
} from './random-transactions.ts';

const [DEPOSIT, UNSIGNED, CONTRACT, RETRY, SUBMIT_RETRYABLE, INTERNAL, CLASSIC] = [
  0x64, 0x65, 0x66, 0x68, 0x69, 0x6a, 0x78,
];

/** Before Nitro, the sender pays what the receipt says, and bids more: a receipt without the price must not count. */
export function classicTransaction(random: Random, place: BlockPlace): RandomTransaction {
  const type = random.pick([CLASSIC, CLASSIC, LEGACY]);
  const transaction = userTransaction(random, place, [LEGACY]);
  const bid = hex(transaction.price + randomAmount(random));
  const json = { ...transaction.json, type: hex(type), gasPrice: bid };
  const gasUsedForL1 = random.bigintBelow(transaction.gasUsed + 1n);
  return { ...transaction, type, json, isPriceInReceipt: true, fields: { gasUsedForL1 } };
}

export function nitroTransactions(
  random: Random,
  place: BlockPlace,
  nitroBlock: number,
  count: number,
): RandomTransaction[] {
  if (place.number === nitroBlock && random.chance(0.5)) return [];
  const arbos = address('a4b05');
  const internal = ownTransaction(random, place, INTERNAL, 0n, { from: arbos, to: arbos });
  return [
    { ...internal, succeeded: true, isProtocol: true },
    ...several(count, () => nitroUserTransactions(random, place)).flat(),
  ];
}

function nitroUserTransactions(random: Random, place: BlockPlace): RandomTransaction[] {
  if (random.chance(0.3)) return retryable(random, place);
  if (random.chance(0.2)) return withRedeem(random, place, signedTransaction(random, place));
  if (random.chance(0.5)) return [signedTransaction(random, place)];
  const type = random.pick([DEPOSIT, UNSIGNED, CONTRACT]);
  return [ownTransaction(random, place, type, type === DEPOSIT ? 0n : randomGas(random))];
}

/**
 * On Arbitrum, the price of a transaction is a bid, the tip is dropped, and the sender pays the base fee. (Real block 150,000,000:
 * bid 0xcd0a3c0, paid 0x5f5e100.)
 */
function signedTransaction(random: Random, place: BlockPlace): RandomTransaction {
  const type = random.pick([LEGACY, ACCESS_LIST, DYNAMIC_FEE, SET_CODE]);
  const { json } = randomBid(random, type, place.baseFee);
  const bid = { json, price: place.baseFee ?? 0n };
  const transaction = userTransaction(random, place, [type], { bid });
  return { ...transaction, fields: { gasUsedForL1: random.bigintBelow(transaction.gasUsed) } };
}

/** A submission with an immediate redeem reports its gas limit, which the redeem reports again; without one it uses no gas. */
function retryable(random: Random, place: BlockPlace): RandomTransaction[] {
  const isRedeemed = random.chance(0.7);
  const submission = ownTransaction(random, place, SUBMIT_RETRYABLE, isRedeemed ? randomGas(random) : 0n);
  return isRedeemed ? withRedeem(random, place, submission, submission.gasUsed) : [submission];
}

/** Gas that a redeem leaves, since siblings use a little more. */
const UNUSED = 2_000n;

/**
 * Returns a transaction with the redeem that it schedules, to which it donates gas, and the one that this schedules in turn.
 * @param limit of the redeem, in gas
 */
function withRedeem(
  random: Random,
  place: BlockPlace,
  payer: RandomTransaction,
  limit = UNUSED + random.bigintBelow(payer.gasUsed - UNUSED),
): RandomTransaction[] {
  const gasUsed = 1n + random.bigintBelow(limit - UNUSED + 1n);
  const redeem = ownTransaction(random, place, RETRY, gasUsed, { gas: hex(limit) });
  const [hashed] = hashTransactions(chainOf('ARBITRUM'), [redeem.json as unknown as RpcTransaction]);
  const donated = limit * (place.baseFee ?? 0n);
  const { paid } = payer;
  const isNested = gasUsed > 2n * UNUSED && random.chance(0.3);
  return [
    {
      ...payer,
      succeeded: true,
      schedules: hashed?.hash,
      paid: { ...paid, execution: paid.execution - donated, retryableDoubleCount: donated },
    },
    ...(isNested ? withRedeem(random, place, redeem) : [redeem]),
  ];
}

/** Generates a transaction of a type of Arbitrum's own: https://github.com/OffchainLabs/go-ethereum core/types/arb_types.go. */
function ownTransaction(
  random: Random,
  place: BlockPlace,
  type: number,
  gasUsed: bigint,
  json: Json = {},
): RandomTransaction {
  const price = place.baseFee ?? 0n;
  const name = random.chance(0.5) ? 'maxFeePerGas' : 'gasPrice';
  return {
    type,
    json: {
      ...commonFields(random, type, gasUsed),
      chainId: hex(place.chainId),
      [name]: hex(price + randomAmount(random)),
      ...ownFields(random, type),
      ...json,
    },
    gasUsed,
    // Nodes differ about the price of no gas.
    price: gasUsed === 0n && random.chance(0.5) ? 0n : price,
    isPriceInReceipt: !random.chance(0.1),
    succeeded: random.chance(0.8),
    fields: {},
    isProtocol: false,
    paid: { ...NO_FEES, execution: gasUsed * price },
  };
}

function ownFields(random: Random, type: number): Json {
  const amount = () => hex(randomAmount(random));
  switch (type) {
    case DEPOSIT:
      return { requestId: randomHash(random), to: randomAddress(random) };
    case CONTRACT:
      return { requestId: randomHash(random) };
    case RETRY:
      return {
        ticketId: randomHash(random),
        refundTo: randomAddress(random),
        maxRefund: amount(),
        submissionFeeRefund: amount(),
      };
    case SUBMIT_RETRYABLE:
      return {
        requestId: randomHash(random),
        l1BaseFee: amount(),
        depositValue: amount(),
        retryTo: random.chance(0.2) ? null : randomAddress(random),
        retryValue: amount(),
        beneficiary: randomAddress(random),
        maxSubmissionFee: amount(),
        refundTo: randomAddress(random),
        retryData: randomData(random),
      };
    default:
      return {};
  }
}
