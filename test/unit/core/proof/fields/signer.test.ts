import fc from 'fast-check';
import { type Hex, parseTransaction, type TransactionSerializable, toBytes, toHex, toRlp } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { ProofError } from '#core/proof/encoding/proof-error.ts';
import { recoverSigner } from '#core/proof/fields/signer.ts';

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((value) => toHex(value));
const wei = fc.bigInt({ min: 1n, max: 2n ** 100n });
const privateKey = fc.bigInt({ min: 1n, max: 2n ** 255n }).map((key) => toHex(key, { size: 32 }));
const accessList = fc.array(
  fc.record({ address: bytes(20), storageKeys: fc.array(bytes(32), { maxLength: 2 }) }),
  { maxLength: 2 },
);

const common = {
  chainId: fc.nat({ max: 2 ** 31 }).map((id) => id + 1),
  nonce: fc.nat(),
  gas: wei,
  value: wei,
  to: bytes(20),
  data: fc.uint8Array({ maxLength: 80, size: 'max' }).map((value) => toHex(value)),
};
const fees = { maxFeePerGas: fc.constant(2n ** 101n), maxPriorityFeePerGas: wei };
const is = <T extends string>(type: T) => fc.constant(type);

/** Unsigned transactions by the number of their type. */
const unsigned: Readonly<Record<number, fc.Arbitrary<TransactionSerializable>>> = {
  // Before EIP-155, the signature did not cover the chain ID.
  0: fc.record({
    ...common,
    chainId: fc.option(common.chainId, { nil: undefined }),
    type: is('legacy'),
    gasPrice: wei,
  }),
  1: fc.record({ ...common, type: is('eip2930'), gasPrice: wei, accessList }),
  2: fc.record({ ...common, ...fees, type: is('eip1559'), accessList }),
  3: fc.record({
    ...common,
    ...fees,
    type: is('eip4844'),
    maxFeePerBlobGas: wei,
    accessList,
    blobVersionedHashes: fc.array(
      bytes(31).map((tail): Hex => `0x01${tail.slice(2)}`),
      { minLength: 1, maxLength: 2 },
    ),
  }),
  4: fc.record({
    ...common,
    ...fees,
    type: is('eip7702'),
    authorizationList: fc.array(
      fc.record({
        address: bytes(20),
        chainId: fc.nat(),
        nonce: fc.nat(),
        r: bytes(32),
        s: bytes(32),
        yParity: fc.nat(1),
      }),
      { maxLength: 2 },
    ),
  }),
};

test.each([0, 1, 2, 3, 4])('recovers the signer of any transaction of type %i', async (type) => {
  await fc.assert(
    fc.asyncProperty(
      unsigned[type] as fc.Arbitrary<TransactionSerializable>,
      privateKey,
      async (transaction, key) => {
        const account = privateKeyToAccount(key);
        const signed = await account.signTransaction(transaction);
        expect(recoverSigner(toBytes(signed), type)).toBe(account.address.toLowerCase());
      },
    ),
    { numRuns: 25 },
  );
});

test.each([
  ['27 or 28', undefined, [27, 28]],
  ['37 or 38 on Ethereum, by EIP-155', 1, [37, 38]],
  ['147 or 148 on BSC', 56, [147, 148]],
])('recovers a sender whose v is %s', async (_, chainId, vs) => {
  const account = privateKeyToAccount(toHex(7n, { size: 32 }));
  const found = new Set<number>();
  for (let nonce = 0; nonce < 12; nonce++) {
    const signed = await account.signTransaction({
      type: 'legacy',
      nonce,
      gas: 21_000n,
      gasPrice: 1n,
      chainId,
    });
    found.add(Number(parseTransaction(signed).v));
    expect(recoverSigner(toBytes(signed), 0)).toBe(account.address.toLowerCase());
  }
  expect([...found].toSorted()).toEqual(vs);
});

test('refuses a signature that no key can have made, and types without one', () => {
  const withoutKey = toBytes(toRlp(['0x', '0x', '0x', '0x', '0x', '0x', '0x1b', '0x', '0x01']));
  expect(() => recoverSigner(withoutKey, 0)).toThrow(ProofError);
  for (const type of [5, 0x7e])
    expect(() => recoverSigner(withoutKey, type)).toThrow(`type ${type} has no signature`);
});
