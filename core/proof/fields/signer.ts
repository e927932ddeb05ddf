import { secp256k1 } from '@noble/curves/secp256k1.js';
import { toHex } from '../encoding/hex.ts';
import { keccak256 } from '../encoding/keccak.ts';
import { ProofError } from '../encoding/proof-error.ts';
import { RlpWriter } from '../encoding/rlp.ts';
import { createListReader, type RlpReader } from '../encoding/rlp-reader.ts';
import { fieldsOf } from './transaction-fields.ts';

const writer = new RlpWriter();
/** v, or the parity of y, then r and s end the fields of each signed type. */
const SIGNATURE_FIELDS = 3;
const MAX_SIGNED_TYPE = 4;
const ADDRESS_BYTES = 20;

/**
 * Recovers the sender of a signed transaction, in about a millisecond.
 * @param payload type byte and RLP
 * @returns a lower-case address
 * @throws ProofError when the type has no signature, or the signature is invalid
 */
export function recoverSigner(payload: Uint8Array, type: number): string {
  if (type > MAX_SIGNED_TYPE) throw new ProofError('type', `type ${type} has no signature`);
  const items = createListReader(type === 0 ? payload : payload.subarray(1), 'transaction');
  const unsigned = items.items(fieldsOf(type).length - SIGNATURE_FIELDS, 'transaction');
  const v = BigInt(items.quantity('v'));
  const { parity, chainId } = type === 0 ? legacySignature(v) : { parity: Number(v) };
  writer.truncate(0);
  // EIP-155: the chain ID replaces the signature in the hash that a legacy transaction signs.
  if (chainId !== undefined) {
    writer.empty();
    writer.empty();
    writer.quantity(`0x${chainId.toString(16)}`, 'v');
  }
  writer.rawBytes(unsigned);
  writer.list(0);
  if (type > 0) writer.rawByte(type);
  const publicKey = recover(items, parity, keccak256(writer.since(0)));
  return toHex(keccak256(publicKey.subarray(1)).subarray(-ADDRESS_BYTES));
}

/** https://eips.ethereum.org/EIPS/eip-155: v is 27 or 28, or 35 or 36 plus twice the chain ID. */
function legacySignature(v: bigint): { readonly parity: number; readonly chainId?: bigint } {
  if (v === 27n || v === 28n) return { parity: Number(v - 27n) };
  return { parity: Number((v - 35n) & 1n), chainId: (v - 35n) >> 1n };
}

/** @param signature reader of r and s */
function recover(signature: RlpReader, parity: number, hash: Uint8Array): Uint8Array {
  const [r, s] = [BigInt(signature.quantity('r')), BigInt(signature.quantity('s'))];
  try {
    return new secp256k1.Signature(r, s, parity).recoverPublicKey(hash).toBytes(false);
  } catch (error) {
    throw new ProofError('r', `no key has this signature: ${error instanceof Error ? error.message : error}`);
  }
}
