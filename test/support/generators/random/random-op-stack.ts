import type { Chain } from '#core/chains/chains.ts';
import type { OpStackRules } from '#core/chains/rule-types.ts';
import { NO_FEES } from '#core/figures/fee-parts.ts';
import { hex, type Json } from '#test/support/generators/blocks/seal.ts';
import type { Random } from './random.ts';
import { type L1Attributes, l1FeeOf, l1Input, operatorFeeOf, payloadOf, randomL1 } from './random-l1.ts';
import type { BlockPlace } from './random-place.ts';
import {
  ACCESS_LIST,
  commonFields,
  DYNAMIC_FEE,
  LEGACY,
  type RandomTransaction,
  randomAmount,
  randomBid,
  randomData,
  randomGas,
  randomHash,
  SET_CODE,
  several,
  userTransaction,
} from './random-transactions.ts';

const [DEPOSIT, POST_EXECUTION] = [0x7e, 0x7d];
const DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001';
const L1_BLOCK = '0x4200000000000000000000000000000000000015';

/** Generates the transactions of a block with its L1 attributes, if it has any. */
export function opStackTransactions(
  chain: Chain,
  rules: OpStackRules,
  random: Random,
  place: BlockPlace,
  count: number,
): { readonly transactions: RandomTransaction[]; readonly l1?: L1Attributes } {
  if (place.number < rules.bedrockBlock) {
    return { transactions: several(count, () => ovmTransaction(random, place)) };
  }
  // The block of the upgrade itself is empty.
  if (place.number === rules.bedrockBlock && random.chance(0.5)) return { transactions: [] };
  const l1 = randomL1(random, rules, place);
  const block = { chain, rules, place, l1 };
  const attributes = several(random.chance(0.2) ? 2 : 1, () => attributesDeposit(random, block));
  const others = several(count, () =>
    random.chance(0.3) ? unpaidTransaction(random, block) : paidTransaction(random, block),
  );
  return { transactions: [...attributes, ...others], l1 };
}

interface OpStackBlock {
  readonly chain: Chain;
  readonly rules: OpStackRules;
  readonly place: BlockPlace;
  readonly l1: L1Attributes;
}

/** Before Bedrock: legacy transactions. Those that pay nothing may have no L1 fee. The L1 fee is not that of any formula here. */
function ovmTransaction(random: Random, place: BlockPlace): RandomTransaction {
  const transaction = userTransaction(random, place, [LEGACY]);
  const isFree = transaction.gasUsed * transaction.price === 0n;
  const l1Fee = random.chance(0.3) && isFree ? null : 1n + randomAmount(random);
  return { ...transaction, fields: { l1Fee }, paid: { ...transaction.paid, l1Data: l1Fee ?? 0n } };
}

function paidTransaction(random: Random, { chain, rules, place, l1 }: OpStackBlock): RandomTransaction {
  const transaction = userTransaction(random, place, [LEGACY, ACCESS_LIST, DYNAMIC_FEE, SET_CODE]);
  const { json, gasUsed, paid } = transaction;
  const l1Data = l1FeeOf(rules, place.timestamp, l1, payloadOf(chain, json));
  const operator = operatorFeeOf(rules, place.timestamp, l1, gasUsed);
  return {
    ...transaction,
    fields: {
      l1Fee: l1Data,
      l1GasPrice: l1.baseFee,
      ...operatorFields(random, rules, place, l1),
      ...footprint(random, rules, place),
    },
    paid: { ...paid, l1Data, operator },
  };
}

/** Nodes omit both parameters of the operator fee when both are zero. */
function operatorFields(
  random: Random,
  { isthmusTime }: OpStackRules,
  { timestamp }: BlockPlace,
  { operatorFeeScalar, operatorFeeConstant }: L1Attributes,
) {
  const isZero = operatorFeeScalar === 0n && operatorFeeConstant === 0n;
  return timestamp < isthmusTime || (isZero && random.chance(0.7))
    ? {}
    : { operatorFeeScalar, operatorFeeConstant };
}

/** Since Jovian, `blobGasUsed` is the data size of a transaction, without a fee. */
const footprint = (random: Random, { jovianTime }: OpStackRules, { timestamp }: BlockPlace) =>
  timestamp < jovianTime
    ? {}
    : { blobGasUsed: randomGas(random), ...(random.chance(0.2) && { blobGasPrice: 1n }) };

const attributesDeposit = (random: Random, block: OpStackBlock): RandomTransaction => ({
  ...deposit(random, block, { from: DEPOSITOR, to: L1_BLOCK, input: l1Input(block.l1), mint: undefined }),
  isProtocol: true,
});

/** Deposits and the draft type 0x7d pay nothing, whatever the receipt reports. */
const unpaidTransaction = (random: Random, block: OpStackBlock): RandomTransaction =>
  random.chance(0.7)
    ? deposit(random, block, { input: randomData(random) })
    : unpaid(random, block, POST_EXECUTION, {
        input: `0x0${1 + random.below(9)}${randomHash(random).slice(2)}`,
      });

/** Nodes leave out a `mint` of zero and an `isSystemTx` of false. */
function deposit(random: Random, block: OpStackBlock, json: Json): RandomTransaction {
  const { place, rules } = block;
  const isSystemTx = place.timestamp < rules.regolithTime;
  const nonce = random.bigintBelow(2n ** 32n);
  const transaction = unpaid(random, block, DEPOSIT, {
    sourceHash: randomHash(random),
    mint: random.chance(0.5) ? hex(randomAmount(random)) : random.pick([null, '0x0']),
    ...((isSystemTx || random.chance(0.3)) && { isSystemTx }),
    ...json,
  });
  const isCanyon = place.timestamp >= rules.canyonTime;
  return {
    ...transaction,
    fields: {
      ...transaction.fields,
      // Shown before Canyon too, but only hashed from then on.
      ...((isCanyon || random.chance(0.5)) && { depositNonce: nonce }),
      ...(isCanyon && { depositReceiptVersion: 1n }),
    },
  };
}

function unpaid(
  random: Random,
  { rules, place, l1 }: OpStackBlock,
  type: number,
  json: Json,
): RandomTransaction {
  const gasUsed = randomGas(random);
  const charged = {
    l1Fee: randomAmount(random),
    ...operatorFields(random, rules, place, l1),
    ...footprint(random, rules, place),
  };
  return {
    type,
    json: { ...commonFields(random, type, gasUsed), gasPrice: '0x0', ...json },
    gasUsed,
    price: random.chance(0.8) ? 0n : randomBid(random, LEGACY, place.baseFee).price,
    isPriceInReceipt: random.chance(0.5),
    succeeded: random.chance(0.8),
    fields: random.chance(0.5) ? charged : {},
    isProtocol: false,
    paid: NO_FEES,
  };
}
