import * as z from 'zod/mini';
import { type $strip, type $ZodObject, $ZodObjectJIT, type $ZodShape } from 'zod/v4/core';
import type { BlockHeader, Receipt } from '../chains/block.ts';

/*
 * What nodes answer, decoded once. Values are taken strictly and spelling is not: nodes differ in the case of hex
 * digits, some give numbers where the specification says hex, and all add fields of their own.
 * https://ethereum.github.io/execution-apis/
 */

/** A value that is not what it should be. */
class UnfitError extends Error {}

/**
 * A value that a plain function decodes.
 * A block has thousands of them, and a union, a check, a pipe and a transform for each take twice the time (0.61 ms a
 * block of 250 receipts, and 0.28 with this and `compiled`).
 * @param decode throws UnfitError
 */
const decodedBy = <T>(decode: (value: unknown) => T) =>
  z.transform((value: unknown, context): T => {
    try {
      return decode(value);
    } catch (error) {
      if (!(error instanceof UnfitError)) throw error;
      context.issues.push({ code: 'custom', message: error.message, input: value });
      return z.NEVER;
    }
  });

const HEX_QUANTITY = /^0x[0-9a-f]{1,64}$/i;

function toQuantity(value: unknown): bigint {
  const isHex = typeof value === 'string' && HEX_QUANTITY.test(value);
  if (isHex || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)) return BigInt(value);
  throw new UnfitError('expected a hex quantity');
}

function toCount(value: unknown): number {
  const count = Number(toQuantity(value));
  if (Number.isSafeInteger(count)) return count;
  throw new UnfitError('expected a smaller number');
}

/** The end of the year 9999: beyond it there are no days. */
const LAST_SECOND = 253_402_300_799;

function toTimestamp(value: unknown): number {
  const timestamp = toCount(value);
  if (timestamp <= LAST_SECOND) return timestamp;
  throw new UnfitError('expected a timestamp in seconds');
}

function toHex(bytes: number, name: string): (value: unknown) => string {
  const digits = new RegExp(`^0x[0-9a-f]{${bytes * 2}}$`, 'i');
  return (value) => {
    if (typeof value === 'string' && digits.test(value)) return value.toLowerCase();
    throw new UnfitError(`expected ${name}`);
  };
}

/** A non-negative integer of any size. */
export const quantity = decodedBy(toQuantity);
/** A non-negative integer that counts something, such as a block number. */
const count = decodedBy(toCount);
/** Seconds since 1970. */
const timestamp = decodedBy(toTimestamp);
const hash = decodedBy(toHex(32, 'a hash of 32 bytes'));
const address = decodedBy(toHex(20, 'an address of 20 bytes'));

export const headerSchema = z.object(
  {
    number: count,
    hash,
    parentHash: hash,
    timestamp,
    miner: z.optional(address),
    transactionsRoot: z.optional(hash),
    transactions: z.array(hash, 'expected an array of hashes'),
  },
  'the node does not have this block',
) satisfies z.ZodMiniType<BlockHeader>;

/** An object of a kind that there are many of: zod/mini compiles none by itself. */
const compiled = <Shape extends $ZodShape>(shape: Shape, error: string) =>
  new $ZodObjectJIT({ type: 'object', shape, error: () => error }) as $ZodObject<Shape, $strip>;

export const receiptsSchema = z.array(
  compiled(
    {
      transactionHash: hash,
      transactionIndex: count,
      blockHash: hash,
      blockNumber: count,
      type: count,
      from: address,
      to: z.nullish(address),
      gasUsed: quantity,
      cumulativeGasUsed: quantity,
      effectiveGasPrice: z.nullish(quantity),
      blobGasUsed: z.nullish(quantity),
      blobGasPrice: z.nullish(quantity),
      l1Fee: z.nullish(quantity),
      operatorFeeScalar: z.nullish(quantity),
      operatorFeeConstant: z.nullish(quantity),
    },
    'expected a receipt',
  ),
  'the node has no receipts of this block',
) satisfies z.ZodMiniType<Receipt[]>;

/** A block with transaction objects, of which only the price is wanted. */
export const gasPricesSchema = z.object(
  {
    transactions: z.array(z.object({ hash, gasPrice: z.nullish(quantity) })),
  },
  'the node does not have this block',
);
