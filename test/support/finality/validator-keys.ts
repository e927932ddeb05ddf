import { createHash } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { SUITE } from '#core/finality/bls.ts';

/* Keys of the validators of simulated chains, which anyone can derive. Many sign at once with the sum of their secrets. */

const { longSignatures: scheme, fields, G1 } = bls12_381;

export interface ValidatorKey {
  readonly secret: bigint;
  /** 48 bytes. */
  readonly publicKey: Buffer;
}

export function keyOf(name: string): ValidatorKey {
  const secret = fields.Fr.create(BigInt(`0x${createHash('sha256').update(name).digest('hex')}`));
  return { secret, publicKey: publicKeyOf(secret) };
}

/* Deriving and signing take long, and simulations do the same again. */
const publicKeys = new Map<bigint, Buffer>();
const signatures = new Map<string, Buffer>();

function publicKeyOf(secret: bigint): Buffer {
  const key = publicKeys.get(secret) ?? Buffer.from(G1.Point.BASE.multiply(secret).toBytes());
  publicKeys.set(secret, key);
  return key;
}

/** Returns the key of keys that sign together, each as often as it has seats. */
export function sumOf(keys: readonly ValidatorKey[], seats = 1): ValidatorKey {
  const sum = keys.reduce((total, { secret }) => total + secret, 0n) * BigInt(seats);
  const secret = fields.Fr.create(sum);
  return { secret, publicKey: publicKeyOf(secret) };
}

/** Returns a signature of 96 bytes. */
export function sign({ secret }: ValidatorKey, message: Uint8Array): Buffer {
  const key = `${secret} ${Buffer.from(message).toString('hex')}`;
  const signature =
    signatures.get(key) ??
    Buffer.from(
      scheme.Signature.toBytes(scheme.sign(scheme.hash(message, SUITE), fields.Fr.toBytes(secret))),
    );
  signatures.set(key, signature);
  return signature;
}
