import { keccak_256 } from '@noble/hashes/sha3.js';

/* Takes the place of core/proof/encoding/keccak.ts in the pages, whose security policy forbids WebAssembly. */

export const keccak256 = (bytes: Uint8Array): Uint8Array => keccak_256(bytes);

type Add = (bytes: Uint8Array, from?: number, to?: number) => void;

/** Hashes messages one after the other, and returns their hashes of 32 bytes each in the same order. */
export function hashTogether(addAll: (add: Add) => void): Uint8Array {
  const hashes: number[] = [];
  addAll((bytes, from, to) => hashes.push(...keccak_256(bytes.subarray(from, to))));
  return Uint8Array.from(hashes);
}
