import fc from 'fast-check';
import type { RpcTransaction } from '#core/proof/json/rpc-types.ts';

/** Random transactions and receipts as nodes answer with them; their `hash` is still to be filled in. */

export const hex = (bytes: number, most = bytes): fc.Arbitrary<`0x${string}`> =>
  fc
    .uint8Array({ minLength: bytes, maxLength: most })
    .map((array) => `0x${Buffer.from(array).toString('hex')}` as const);
/** Mostly short, as in blocks, and sometimes of all 32 bytes. */
export const quantity = (bits = 256): fc.Arbitrary<`0x${string}`> =>
  fc
    .oneof(
      fc.constantFrom(0n, 1n, 127n, 128n),
      fc.bigInt(0n, 2n ** 64n - 1n),
      fc.bigInt(0n, 2n ** BigInt(bits) - 1n),
    )
    .map((value) => `0x${(value % 2n ** BigInt(bits)).toString(16)}` as const);

export const address = hex(20);
export const hash = hex(32);
/** Around the lengths where RLP changes its headers. */
export const data = fc.oneof(
  hex(0),
  hex(1),
  hex(54, 58),
  hex(0, 300),
  fc.integer({ min: 65_534, max: 65_538 }).map((length) => `0x${'5a'.repeat(length)}` as const),
);

const signature = { r: quantity(), s: quantity() };
const accessList = fc.array(fc.record({ address, storageKeys: fc.array(hash, { maxLength: 3 }) }), {
  maxLength: 3,
});
const common = { nonce: quantity(64), gas: quantity(64), value: quantity(), input: data, ...signature };
const to = fc.option(address);
const yParity = fc.constantFrom('0x0', '0x1');
const typed = { ...common, chainId: quantity(64), accessList, yParity };
const dynamicFee = { ...typed, maxFeePerGas: quantity(), maxPriorityFeePerGas: quantity() };
const authorization = fc.record({ chainId: quantity(), address, nonce: quantity(64), yParity, ...signature });
const arbitrum = {
  chainId: quantity(64),
  from: address,
  maxFeePerGas: quantity(),
  gas: quantity(64),
  to,
  value: quantity(),
  input: data,
};

const members: Readonly<Record<number, object>> = {
  0: { ...common, to, gasPrice: quantity(), v: quantity(64) },
  1: { ...typed, to, gasPrice: quantity() },
  2: { ...dynamicFee, to },
  3: {
    ...dynamicFee,
    to: address,
    maxFeePerBlobGas: quantity(),
    blobVersionedHashes: fc.array(hash, { maxLength: 6 }),
  },
  4: { ...dynamicFee, to: address, authorizationList: fc.array(authorization, { maxLength: 3 }) },
  100: { chainId: quantity(64), requestId: hash, from: address, to: address, value: quantity() },
  101: { ...arbitrum, nonce: quantity(64) },
  102: { ...arbitrum, requestId: hash },
  104: {
    ...arbitrum,
    nonce: quantity(64),
    ticketId: hash,
    refundTo: address,
    maxRefund: quantity(),
    submissionFeeRefund: quantity(),
  },
  105: {
    chainId: quantity(64),
    requestId: hash,
    from: address,
    l1BaseFee: quantity(),
    depositValue: quantity(),
    maxFeePerGas: quantity(),
    gas: quantity(64),
    retryTo: to,
    retryValue: quantity(),
    beneficiary: address,
    maxSubmissionFee: quantity(),
    refundTo: address,
    retryData: data,
  },
  106: { chainId: quantity(64), input: data },
  126: {
    sourceHash: hash,
    from: address,
    to,
    mint: fc.option(quantity(), { nil: undefined }),
    value: quantity(),
    gas: quantity(64),
    isSystemTx: fc.option(fc.boolean(), { nil: undefined }),
    input: data,
  },
};

export type ArbitraryTransaction = Omit<RpcTransaction, 'hash'>;

/** A random transaction of one of `types`. */
export const transactionOf = (types: readonly number[]): fc.Arbitrary<ArbitraryTransaction> =>
  fc.oneof(
    ...types.map(
      (type) =>
        fc.record({
          type: fc.constant(`0x${type.toString(16)}`),
          ...members[type],
        }) as fc.Arbitrary<ArbitraryTransaction>,
    ),
  );
