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

const publicKeyOf = (secret: bigint): Buffer => Buffer.from(G1.Point.BASE.multiply(secret).toBytes());

/** Returns the key of keys that sign together, each as often as it has seats. */
export function sumOf(keys: readonly ValidatorKey[], seats = 1): ValidatorKey {
  const sum = keys.reduce((total, { secret }) => total + secret, 0n) * BigInt(seats);
  const secret = fields.Fr.create(sum);
  return { secret, publicKey: publicKeyOf(secret) };
}

/** Returns a signature of 96 bytes. */
export const sign = ({ secret }: ValidatorKey, message: Uint8Array): Buffer =>
  Buffer.from(scheme.Signature.toBytes(scheme.sign(scheme.hash(message, SUITE), fields.Fr.toBytes(secret))));
