import * as z from 'zod/mini';
import type { BlockHeader, Receipt } from '../chains/block.ts';

/*
 * What nodes answer, decoded once. Values are taken strictly and spelling is not: nodes differ in the case of hex
 * digits, some give numbers where the specification says hex, and all add fields of their own.
 * https://ethereum.github.io/execution-apis/
 */

const HEX_QUANTITY = /^0x[0-9a-f]{1,64}$/i;

const NOT_A_QUANTITY = 'expected a hex quantity';

/** A non-negative integer of any size. */
export const quantity = z.pipe(
  z.union(
    [
      z.string(NOT_A_QUANTITY).check(z.regex(HEX_QUANTITY, NOT_A_QUANTITY)),
      z.int(NOT_A_QUANTITY).check(z.nonnegative(NOT_A_QUANTITY)),
    ],
    NOT_A_QUANTITY,
  ),
  z.transform((value) => BigInt(value)),
);

/** A non-negative integer that counts something, such as a block number. */
const count = z.pipe(
  quantity,
  z.transform((value, context) => {
    if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
    context.issues.push({ code: 'custom', message: 'expected a smaller number', input: value });
    return z.NEVER;
  }),
);

/** Seconds since 1970, up to the end of the year 9999: beyond it there are no days. */
const timestamp = z.pipe(count, z.int().check(z.lte(253_402_300_799, 'expected a timestamp in seconds')));

const hex = (bytes: number, name: string) =>
  z.pipe(
    z
      .string(`expected ${name}`)
      .check(z.regex(new RegExp(`^0x[0-9a-f]{${bytes * 2}}$`, 'i'), `expected ${name}`)),
    z.transform((value) => value.toLowerCase()),
  );
const hash = hex(32, 'a hash of 32 bytes');
const address = hex(20, 'an address of 20 bytes');

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

export const receiptsSchema = z.array(
  z.object(
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
