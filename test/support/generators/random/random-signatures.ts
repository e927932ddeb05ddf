import { RLP } from '@ethereumjs/rlp';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import { hex, type Json } from '#test/support/generators/blocks/seal.ts';
import type { Random } from './random.ts';

/** A key and its address. */
export interface Account {
  readonly address: string;
  readonly key: Uint8Array;
}

export function randomAccount(random: Random): Account {
  const key = hexToBytes(hashOf(`key ${random.bigintBelow(2n ** 64n)}`).slice(2));
  const publicKey = secp256k1.getPublicKey(key, false).slice(1);
  return { key, address: `0x${bytesToHex(keccak_256(publicKey)).slice(-40)}` };
}

/** The x coordinates of a few points: with one of them as `r`, any `s` is the signature of somebody. */
const COORDINATES = [1n, 2n, 3n, 4n].map((factor) => hex(secp256k1.Point.BASE.multiply(factor).x));

/**
 * Makes up the signature of an unknown sender: only BSC's system transactions depend on who signed.
 * @param chainId of a legacy transaction with replay protection
 */
export function strangersSignature(random: Random, type: number, chainId: number | undefined): Json {
  const parity = random.below(2);
  const numbers = { r: random.pick(COORDINATES), s: hex(1n + random.bigintBelow(2n ** 250n)) };
  if (type === 0) return { ...numbers, v: hex(legacyV(parity, chainId)) };
  return { ...numbers, v: hex(parity), yParity: hex(parity) };
}

/** Signs a legacy transaction: https://eips.ethereum.org/EIPS/eip-155. */
export function signLegacy({ key }: Account, transaction: Json, chainId: number): Json {
  const { nonce, gasPrice, gas, to, value, input } = transaction;
  const quantities = [nonce, gasPrice, gas].map((quantity) => BigInt(`${quantity}`));
  const fields = [...quantities, to ?? '0x', BigInt(`${value}`), input, chainId, 0, 0] as (bigint | string)[];
  const hash = keccak_256(RLP.encode(fields));
  const bytes = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' });
  const { r, s, recovery = 0 } = secp256k1.Signature.fromBytes(bytes, 'recovered');
  return { r: hex(r), s: hex(s), v: hex(legacyV(recovery, chainId)) };
}

const legacyV = (parity: number, chainId: number | undefined) =>
  chainId === undefined ? 27 + parity : 35 + 2 * chainId + parity;
