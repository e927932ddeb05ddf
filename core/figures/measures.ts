/*
 * Measures of blocks beyond transactions and fees. A measure is undefined where it does not follow from the blocks' bytes, and so is
 * any sum with it.
 */

/** Each measure with its name in stored items. */
export const measures = {
  gasUsed: 'gas_used',
  /** Transactions whose receipt has the status 0. */
  failedTransactions: 'failed_transaction_count',
  /** Wei: the part of the execution fees above the base fee. */
  priorityFees: 'priority_fees',
  blobs: 'blob_count',
} as const;

export type MeasureName = keyof typeof measures;

export type MeasureAttribute = (typeof measures)[MeasureName];

export type Measures = Readonly<Record<MeasureName, bigint | undefined>>;

const measureNames = Object.keys(measures) as readonly MeasureName[];

export const mapMeasures = <T>(toValue: (name: MeasureName) => T): Record<MeasureName, T> =>
  Object.fromEntries(measureNames.map((name) => [name, toValue(name)])) as Record<MeasureName, T>;

export const mapMeasureAttributes = <T>(toValue: (name: MeasureName) => T): Record<MeasureAttribute, T> =>
  Object.fromEntries(measureNames.map((name) => [measures[name], toValue(name)])) as Record<
    MeasureAttribute,
    T
  >;

export const NO_MEASURES: Measures = mapMeasures(() => 0n);

/** Adds values up. Returns undefined when one of them is. */
export const sumKnown = (values: readonly (bigint | undefined)[]): bigint | undefined =>
  values.reduce((sum, value) => (sum === undefined || value === undefined ? undefined : sum + value), 0n);

export const sumMeasures = (all: readonly Measures[]): Measures =>
  mapMeasures((name) => sumKnown(all.map((one) => one[name])));

/** Version of the measures and hours in docs/definitions.md. `DEFINITION_VERSION` is that of transactions and fees. */
export const MEASURES_VERSION = 1;
