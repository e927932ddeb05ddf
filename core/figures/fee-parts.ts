/**
 * The parts of a day's fees, each in wei. Storage, export, comparison and docs derive their names from here: `attribute` is the name in
 * stored items, exported rows and JSON. A part that is paid counts towards `fees`.
 */
export const feeParts = {
  execution: {
    attribute: 'execution_fees',
    description: 'gas used times its price, base fee and tip together',
    isPaid: true,
  },
  l1Data: {
    attribute: 'l1_data_fees',
    description: 'OP Stack: posting the transaction data to L1',
    isPaid: true,
  },
  operator: {
    attribute: 'operator_fees',
    description: 'OP Stack since Isthmus: the operator fee',
    isPaid: true,
  },
  blob: { attribute: 'blob_fees', description: 'EIP-4844: blob gas used times its price', isPaid: true },
  retryableDoubleCount: {
    attribute: 'retryable_double_count',
    description: 'Arbitrum: fees for gas donated to redeems, which receipts report twice; not in `fees`',
    isPaid: false,
  },
} as const;

export type FeePartName = keyof typeof feeParts;
export type PaidPartName = {
  [Name in FeePartName]: (typeof feeParts)[Name]['isPaid'] extends true ? Name : never;
}[FeePartName];

type FeeAttribute = (typeof feeParts)[FeePartName]['attribute'];
export type PaidAttribute = (typeof feeParts)[PaidPartName]['attribute'];

export const feePartNames = Object.keys(feeParts) as readonly FeePartName[];
const paidPartNames = feePartNames.filter((name): name is PaidPartName => feeParts[name].isPaid);

/** Fees in wei, part by part. */
export type Fees = Readonly<Record<FeePartName, bigint>>;

export const mapFeeParts = <T>(toValue: (name: FeePartName) => T): Record<FeePartName, T> =>
  Object.fromEntries(feePartNames.map((name) => [name, toValue(name)])) as Record<FeePartName, T>;

const byAttribute = <Name extends FeePartName, T>(names: readonly Name[], toValue: (name: Name) => T) =>
  Object.fromEntries(names.map((name) => [feeParts[name].attribute, toValue(name)])) as Record<
    (typeof feeParts)[Name]['attribute'],
    T
  >;

export const mapFeeAttributes = <T>(toValue: (name: FeePartName) => T): Record<FeeAttribute, T> =>
  byAttribute(feePartNames, toValue);
export const mapPaidAttributes = <T>(toValue: (name: PaidPartName) => T): Record<PaidAttribute, T> =>
  byAttribute(paidPartNames, toValue);

export const NO_FEES: Fees = mapFeeParts(() => 0n);

/** Adds up the parts that senders paid for inclusion and execution, in wei. */
export const sumPaidParts = (toValue: (name: PaidPartName) => bigint): bigint =>
  paidPartNames.reduce((sum, name) => sum + toValue(name), 0n);

/** Returns everything that senders paid for inclusion and execution, in wei. */
export const totalFees = (fees: Fees): bigint => sumPaidParts((name) => fees[name]);

export const sumFees = (all: readonly Fees[]): Fees =>
  mapFeeParts((name) => all.reduce((sum, fees) => sum + fees[name], 0n));

/** In wei: ten times the coins of any supported chain. The sum of a day of such blocks fits the 38 digits that the table keeps. */
const MAX_BLOCK_FEES = 10n ** 29n;

/** Returns whether the fees of a block exceed all coins of its chain, which proves that the block is forged. */
export const exceedAllCoins = (fees: Fees): boolean =>
  totalFees(fees) + fees.retryableDoubleCount > MAX_BLOCK_FEES;
