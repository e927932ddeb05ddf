import { createHash } from 'node:crypto';
import type { PriceFeed } from '../core/chains/chain-facts.ts';
import type { Chain } from '../core/chains/chains.ts';
import type { Rules } from '../core/chains/rule-types.ts';
import { SECONDS_PER_DAY } from '../core/figures/calendar.ts';
import { ANSWER_DECIMALS } from '../core/figures/dollars.ts';
import { ANSWER_UPDATED } from '../core/proof/price-updates.ts';

/** Parameters of `eth_signTransaction`. */
export type SampleTransaction = Readonly<Record<string, unknown>>;

/** A contract that reverts when called without data. Otherwise it stores the time and emits a log. */
export const CONTRACT = {
  address: '0x00000000000000000000000000000000c0de0001',
  code: '0x366007575f5ffd5b425f555f5fa000',
};

const hex = (value: number | bigint) => `0x${value.toString(16)}`;
const GWEI = 1_000_000_000n;

/**
 * The base fee of each block of Arbitrum's development chain, in wei: the floor of the real chain. Its transactions offer just
 * that, because Arbitrum charges no more and anvil charges what they offer.
 */
export const ARBITRUM_BASE_FEE = hex(10_000_000);

type Sample = (from: string, to: string, index: number) => SampleTransaction;

const transfer: Sample = (from, to, index) => ({ from, to, value: hex(index + 1), gas: hex(21_000) });
const priceOf = (index: number) => ({ gasPrice: hex(2n * GWEI + BigInt(index)) });
const legacy: Sample = (from, to, index) => ({ ...transfer(from, to, index), ...priceOf(index) });
const dynamicFee: Sample = (from, to, index) => ({
  ...transfer(from, to, index),
  maxFeePerGas: hex(3n * GWEI),
  maxPriorityFeePerGas: hex(100_000_000n + BigInt(index)),
});
const accessList: Sample = (from, to, index) => ({
  ...legacy(from, to, index),
  gas: hex(30_000),
  accessList: [{ address: CONTRACT.address, storageKeys: [`0x${'0'.repeat(64)}`] }],
});
const contractCall: Sample = (from, _to, index) => ({
  ...dynamicFee(from, CONTRACT.address, index),
  value: '0x0',
  gas: hex(100_000),
  data: '0x01',
});
const callOf: Sample = (from, to, index) => ({ ...legacy(from, to, index), value: '0x0', gas: hex(100_000) });
const failing: Sample = (from, _to, index) => callOf(from, CONTRACT.address, index);
const creation: Sample = (from, _to, index) => ({
  from,
  gas: hex(200_000),
  ...priceOf(index),
  // Returns the contract's own code: push15 code, mstore(0), return(17, 15)
  data: `0x6e${CONTRACT.code.slice(2)}5f52600f6011f3`,
});

const sha256 = (value: string) => createHash('sha256').update(value).digest('hex');
/** Without its blobs: no block has them, and anvil would hash them into the transactionsRoot. */
const blob: Sample = (from, to, index) => ({
  ...dynamicFee(from, to, index),
  type: '0x3',
  maxFeePerBlobGas: hex(GWEI),
  blobVersionedHashes: [`0x01${sha256(`blob ${index}`).slice(2)}`],
});
const deposit: Sample = (from, to, index) => ({
  from,
  to,
  value: '0x1',
  gas: hex(50_000),
  data: '0x',
  type: '0x7e',
  mint: hex(1_000_000n * GWEI),
  isSystemTx: false,
  sourceHash: `0x${sha256(`${from} ${index}`)}`,
});

/** The L1 attributes, in the layout since Jovian, of an L1 without prices: anvil charges no L1 fee. */
const L1_ATTRIBUTES = `0x3db6be2b${'00'.repeat(174)}`;

const common = [legacy, dynamicFee, accessList, contractCall, failing, creation];

/**
 * The transaction type that only one family has. On BSC, only every fifth block may have blobs (BEP-657), and here those blocks are empty. On
 * chains with a least price of blobs there are none, because receipts of anvil state Ethereum's price.
 */
const special: Readonly<Partial<Record<Rules['family'], Sample>>> = { ethereum: blob, 'op-stack': deposit };

/** Returns the sender of the protocol transaction that starts each block of some families. */
export function protocolSender({ family }: Rules, accounts: readonly string[]): string | undefined {
  if (family === 'op-stack') return '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001';
  return family === 'bsc' ? accounts[9] : undefined;
}

/** Returns a transaction with a multiple of its price, or the price that Arbitrum charges. */
const priced = (transaction: SampleTransaction, { family }: Rules, bid: number): SampleTransaction =>
  Object.fromEntries(
    Object.entries(transaction).map(([name, value]) => {
      if (!/^(gasPrice|maxFeePerGas|maxPriorityFeePerGas)$/.test(name)) return [name, value];
      if (family !== 'arbitrum') return [name, hex(BigInt(String(value)) * BigInt(bid))];
      return [name, name === 'maxPriorityFeePerGas' ? '0x0' : ARBITRUM_BASE_FEE];
    }),
  );

/** Accounts whose transactions are those of users. */
export const USERS = 8;

/**
 * Returns a block's transactions: the protocol's, then those of users, of varying types.
 * @param count of users' transactions
 * @param bid multiple of the usual price
 * @param update a user's transaction that comes first, except in blocks without others
 */
export function sampleTransactions(
  rules: Rules,
  accounts: readonly string[],
  block: number,
  { count, bid }: { readonly count: number; readonly bid: number },
  update: SampleTransaction,
): readonly SampleTransaction[] {
  const users = accounts.slice(0, USERS);
  const hasOwnPrice =
    'blobSchedule' in rules && rules.blobSchedule.some(({ minPrice }) => minPrice !== undefined);
  const rare = block % 10 === 4 && !hasOwnPrice ? special[rules.family] : undefined;
  const samples = Array.from({ length: count }, (_, position) => {
    const index = block * 100 + position;
    const [from, to] = [users[index % USERS] ?? '', users[(index + 1) % USERS] ?? ''];
    const ordinary = common[(block + position) % common.length] ?? legacy;
    return ((position === 0 && rare) || ordinary)(from, to, index);
  });
  const transactions = (count > 0 ? [update, ...samples] : []).map((one) => priced(one, rules, bid));
  const sender = protocolSender(rules, accounts);
  if (!sender) return transactions;
  const own =
    rules.family === 'bsc'
      ? { from: sender, to: '0x0000000000000000000000000000000000001000', gas: hex(50_000), gasPrice: '0x0' }
      : {
          ...deposit(sender, '0x4200000000000000000000000000000000000015', block),
          value: '0x0',
          mint: '0x0',
          data: L1_ATTRIBUTES,
        };
  return [own, ...transactions];
}

/* The price feed of a development chain: a contract that records each price that it is called with, as Chainlink's do. */

const AGGREGATOR = '0x00000000000000000000000000000000c0de0002';
/** Adds 1 to the round in its storage, and emits `AnswerUpdated` with the price of the call, that round and the time of the block. */
const AGGREGATOR_CODE = `0x425f525f54600101805f555f357f${ANSWER_UPDATED.slice(2)}60205fa300`;
/** Code that does nothing: the proxy is only read. */
const PROXY_CODE = '0x00';
/** `currentPhase`: phase 1 and the aggregator. */
const PHASE = { slot: 2n, value: `0x${AGGREGATOR.slice(2).padStart(60, '0')}0001` };

const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;

export type DevelopmentNode = (method: string, ...params: unknown[]) => Promise<unknown>;

/** Sets up the feed of a chain that has no blocks yet. */
export async function setUpFeed(rpc: DevelopmentNode, { priceFeed }: Chain): Promise<void> {
  if (!priceFeed) return;
  const { proxy } = priceFeed;
  await rpc('anvil_setCode', AGGREGATOR, AGGREGATOR_CODE);
  await rpc('anvil_setCode', proxy, PROXY_CODE);
  await rpc('anvil_setStorageAt', proxy, word(PHASE.slot), PHASE.value);
}

/** Returns the feed of a development chain: its days have few blocks, so that a price counts for longer. */
export const developmentFeed = (feed: PriceFeed): PriceFeed => ({ ...feed, maxAge: 2 * SECONDS_PER_DAY });

/** Dollars per coin, around which prices move. */
const PRICES: Readonly<Record<string, number>> = { ETH: 3_000, BNB: 900, POL: 0.4 };

/** Returns the transaction that records the price of a block. @param time seconds since 1970 */
export function priceUpdate({ coin }: Chain, from: string, time: number): SampleTransaction {
  const days = time / SECONDS_PER_DAY;
  const price = (PRICES[coin] ?? 1) * (1 + 0.08 * Math.sin(days / 9) + 0.02 * Math.sin(days * 2.7));
  return { ...callOf(from, AGGREGATOR, 0), data: word(BigInt(Math.round(price * 10 ** ANSWER_DECIMALS))) };
}
