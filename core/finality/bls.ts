import { bls12_381 } from '@noble/curves/bls12-381.js';

/*
 * Signatures of sync committees and of BSC's validators: public keys in G1, signatures in G2.
 * https://datatracker.ietf.org/doc/draft-irtf-cfrg-bls-signature/
 */

export const SUITE = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';
const { longSignatures: scheme, G1 } = bls12_381;

/** A public key, or a sum of some. */
export type PublicKey = InstanceType<typeof G1.Point>;

/** Decodes a public key of 48 bytes. Returns undefined if it is not a point of the group, or is the neutral one. */
export function decodeKey(bytes: Uint8Array): PublicKey | undefined {
  try {
    const key = G1.Point.fromBytes(bytes);
    key.assertValidity();
    return key.is0() ? undefined : key;
  } catch {
    return undefined;
  }
}

export const addKeys = (keys: readonly PublicKey[]): PublicKey =>
  keys.reduce((sum, key) => sum.add(key), G1.Point.ZERO);

/**
 * Returns whether a signature of 96 bytes is that of a key over a message.
 * @param key the sum of the signers' keys, each of which must have proven that it knows its secret
 */
export function isSignedBy(key: PublicKey, message: Uint8Array, signature: Uint8Array): boolean {
  if (key.is0()) return false;
  try {
    return scheme.verify(scheme.Signature.fromBytes(signature), scheme.hash(message, SUITE), key);
  } catch {
    return false;
  }
}
