import { addKeys, decodeKey, isSignedBy } from '#core/finality/bls.ts';
import { keyOf, sign, sumOf } from '#test/support/finality/validator-keys.ts';

/* Proves that a signature counts for the sum of its signers' keys, and for no other. */

const message = new Uint8Array(32).fill(7);
const keys = ['a', 'b', 'c'].map(keyOf);
const decoded = keys.flatMap(({ publicKey }) => decodeKey(publicKey) ?? []);
const together = sumOf(keys);

test('keys that sign together have the sum of their keys', () => {
  const signature = sign(together, message);
  expect(isSignedBy(addKeys(decoded), message, signature)).toBe(true);
  expect(isSignedBy(addKeys(decoded.slice(1)), message, signature)).toBe(false);
  expect(isSignedBy(addKeys(decoded), message.with(0, 8), signature)).toBe(false);
});

test('refuses bytes that are not a signature', () => {
  expect(isSignedBy(addKeys(decoded), message, new Uint8Array(96))).toBe(false);
});

/** Compressed, the point at infinity is the flags 0xc0 and zeros. It is the sum of no keys, and its signature fits every message. */
test('nobody signs with the neutral key', () => {
  const [infinity, noSignature] = [48, 96].map((length) => new Uint8Array(length).fill(0xc0, 0, 1));
  expect(isSignedBy(addKeys([]), message, noSignature as Uint8Array)).toBe(false);
  expect(decodeKey(infinity as Uint8Array)).toBeUndefined();
});

test.each([
  ['47 bytes', together.publicKey.subarray(1)],
  ['bytes that are not a point', Buffer.alloc(48, 0xff)],
])('%s are not a key', (_, bytes) => {
  expect(decodeKey(bytes)).toBeUndefined();
});
