import { createHash } from 'node:crypto';
import type { Rules } from '../core/chains/rule-types.ts';

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

const legacy: Sample = (from, to, index) => ({
  from,
  to,
  value: hex(index + 1),
  gas: hex(21_000),
  gasPrice: hex(2n * GWEI + BigInt(index)),
});
const dynamicFee: Sample = (from, to, index) => ({
  from,
  to,
  value: hex(index + 1),
  gas: hex(21_000),
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
const failing: Sample = (from, _to, index) => ({
  ...legacy(from, CONTRACT.address, index),
  value: '0x0',
  gas: hex(100_000),
});
const creation: Sample = (from, _to, index) => ({
  from,
  gas: hex(200_000),
  gasPrice: hex(2n * GWEI + BigInt(index)),
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

/** Returns the transaction type that only this family has. */
function specialOf({ family }: Rules): Sample | undefined {
  switch (family) {
    // On BSC, only every fifth block may have blobs (BEP-657), and here those blocks are empty.
    case 'ethereum':
      return blob;
    case 'op-stack':
      return deposit;
    default:
      return undefined;
  }
}

/** Returns the sender of the protocol transaction that starts each block of some families. */
export const protocolSender = (rules: Rules, accounts: readonly string[]): string | undefined =>
  rules.family === 'op-stack'
    ? '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'
    : rules.family === 'bsc'
      ? accounts[9]
      : undefined;

/** Returns a transaction with the price that Arbitrum charges. */
function atBaseFee(transaction: SampleTransaction): SampleTransaction {
  return 'gasPrice' in transaction
    ? { ...transaction, gasPrice: ARBITRUM_BASE_FEE }
    : { ...transaction, maxFeePerGas: ARBITRUM_BASE_FEE, maxPriorityFeePerGas: '0x0' };
}

/** Returns a transaction with a multiple of its price. */
function withBid(transaction: SampleTransaction, bid: number): SampleTransaction {
  const multiply = (name: string) =>
    name in transaction ? { [name]: hex(BigInt(String(transaction[name])) * BigInt(bid)) } : {};
  return {
    ...transaction,
    ...multiply('gasPrice'),
    ...multiply('maxFeePerGas'),
    ...multiply('maxPriorityFeePerGas'),
  };
}

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
  const special = block % 10 === 4 ? specialOf(rules) : undefined;
  const priced = (transaction: SampleTransaction) =>
    rules.family === 'arbitrum' ? atBaseFee(transaction) : withBid(transaction, bid);
  const samples = Array.from({ length: count }, (_, position) => {
    const index = block * 100 + position;
    const [from, to] = [users[index % USERS] ?? '', users[(index + 1) % USERS] ?? ''];
    const ordinary = common[(block + position) % common.length] ?? legacy;
    return ((position === 0 && special) || ordinary)(from, to, index);
  });
  const transactions = (count > 0 ? [update, ...samples] : []).map(priced);
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
