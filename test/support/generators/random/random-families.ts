import type { Chain } from '#core/chains/chains.ts';
import { NO_FEES } from '#core/figures/fee-parts.ts';
import type { Json } from '#test/support/generators/blocks/seal.ts';
import type { Random } from './random.ts';
import { classicTransaction, nitroTransactions } from './random-arbitrum.ts';
import type { L1Attributes } from './random-l1.ts';
import { opStackTransactions } from './random-op-stack.ts';
import type { BlockPlace } from './random-place.ts';
import { signLegacy } from './random-signatures.ts';
import {
  ACCESS_LIST,
  address,
  BLOB,
  commonFields,
  DYNAMIC_FEE,
  LEGACY,
  type RandomTransaction,
  randomAddress,
  randomAmount,
  randomBid,
  randomData,
  SET_CODE,
  several,
  userTransaction,
} from './random-transactions.ts';

const MOST = 4;
const LONDON = 1;
const STATE_SYNC = 0x7f;

export interface Content {
  readonly transactions: RandomTransaction[];
  /** Only of the OP stack. */
  readonly l1?: L1Attributes | undefined;
}

/** Generates the transactions of one block: those of the protocol and 0 to 4 others. The rules are used for fork points only. */
export function randomContent(chain: Chain, random: Random, place: BlockPlace): Content {
  const { rules } = chain;
  const count = random.below(MOST + 1);
  switch (rules.family) {
    case 'ethereum':
      return { transactions: several(count, () => userTransaction(random, place, typesAt(place))) };
    case 'bsc':
      return { transactions: bscTransactions(random, place, count) };
    case 'polygon':
      return { transactions: polygonTransactions(random, place, count, rules.stateSyncTypeFrom) };
    case 'op-stack':
      return opStackTransactions(chain, rules, random, place, count);
    case 'arbitrum':
      return {
        transactions:
          place.number < rules.nitroBlock
            ? several(count, () => classicTransaction(random, place))
            : nitroTransactions(random, place, rules.nitroBlock, count),
      };
  }
}

function typesAt({ isOld, appended, blobs }: BlockPlace): readonly number[] {
  if (isOld) return [LEGACY];
  if (appended < LONDON) return [LEGACY, ACCESS_LIST];
  const types = [LEGACY, ACCESS_LIST, DYNAMIC_FEE, SET_CODE];
  return blobs && blobs.max > 0 ? [...types, BLOB, BLOB] : types;
}

const bscTransactions = (random: Random, place: BlockPlace, count: number): RandomTransaction[] => [
  ...several(count, () => bscUserTransaction(random, place)),
  ...several(random.below(3), () => ({
    ...minersTransaction(random, place, { to: systemContract(random), gas: '0x7fffffffffffffff' }),
    isProtocol: true,
  })),
];

const systemContract = (random: Random) => address(random.pick(['1000', '1001', '1002', '2002', '3000']));

/** Signed by the block's own miner; a system transaction if it is to a system contract, at price 0. */
function minersTransaction(random: Random, place: BlockPlace, json: Json, price = 0n): RandomTransaction {
  const bid = { price, json: { gasPrice: `0x${price.toString(16)}` } };
  const from = place.miner.address;
  const transaction = userTransaction(random, place, [LEGACY], { bid, json: { from, ...json } });
  const signature = signLegacy(place.miner, transaction.json, place.chainId);
  return { ...transaction, json: { ...transaction.json, ...signature } };
}

/** Half of them lack one property of a system transaction. */
function bscUserTransaction(random: Random, place: BlockPlace): RandomTransaction {
  const ordinary = () => userTransaction(random, place, typesAt(place));
  const elsewhere = random.pick([address('1008'), address('2001'), randomAddress(random)]);
  const nearMiss = [
    () => freeTransaction(random, place),
    () => minersTransaction(random, place, { to: systemContract(random) }, 1n + randomAmount(random)),
    () => minersTransaction(random, place, { to: elsewhere }),
    () => minersTransaction(random, place, { to: null }),
  ];
  return random.pick([...nearMiss, ordinary, ordinary, ordinary, ordinary])();
}

/** A user's call of a system contract at price 0, which looks as if the miner had sent it: only the signature tells. */
function freeTransaction(random: Random, place: BlockPlace): RandomTransaction {
  const type = random.pick(typesAt(place).filter((one) => one !== BLOB));
  const { json } = randomBid(random, type);
  const free = Object.fromEntries(Object.keys(json).map((name) => [name, '0x0']));
  return userTransaction(random, place, [type], {
    bid: { json: free, price: 0n },
    json: { to: systemContract(random), ...(random.chance(0.3) && { from: place.miner.address }) },
  });
}

/** State-sync has a type since the fork. random-block.ts adds the pseudo-transaction before it. */
function polygonTransactions(random: Random, place: BlockPlace, count: number, typeFrom: number) {
  const users = several(count, () => {
    // Burning coins is a transfer to the zero address, but from a user and with gas.
    const burns = random.chance(0.2) ? { to: address('0') } : {};
    return userTransaction(random, place, typesAt(place), { json: burns });
  });
  return place.number < typeFrom || random.chance(0.5) ? users : [...users, stateSync(random)];
}

/** Its bytes are only in the response to `eth_getRawTransactionByBlockNumberAndIndex`. */
const stateSync = (random: Random): RandomTransaction => ({
  type: STATE_SYNC,
  json: {
    ...commonFields(random, STATE_SYNC, 0n),
    from: address('0'),
    to: address('0'),
    gas: '0x0',
    gasPrice: '0x0',
    input: '0x',
    raw: `0x7f${randomData(random).slice(2)}c0`,
  },
  gasUsed: 0n,
  price: 0n,
  isPriceInReceipt: random.chance(0.5),
  succeeded: true,
  fields: {},
  isProtocol: true,
  paid: NO_FEES,
});
