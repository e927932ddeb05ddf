import { secp256k1 } from '@noble/curves/secp256k1.js';
import { type Field, writeList } from './field.ts';
import { toHex } from './hex.ts';
import { keccak256 } from './keccak.ts';
import { RlpWriter } from './rlp.ts';
import { TRANSACTION_FIELDS } from './transaction-fields.ts';
import { ProofError, type RpcTransaction } from './types.ts';

const writer = new RlpWriter();
/** v, or the parity of y, then r and s end the fields of each signed type. */
const SIGNATURE_FIELDS = 3;
const HIGHEST_SIGNED_TYPE = 4;
const ADDRESS_BYTES = 20;

/**
 * Recovers the sender of a signed transaction, in about a millisecond.
 * @returns a lower-case address
 * @throws ProofError when the type has no signature, or the signature is invalid
 */
export function recoverSigner(transaction: RpcTransaction, type: number): string {
  const fields = TRANSACTION_FIELDS.get(type);
  if (!fields || type > HIGHEST_SIGNED_TYPE) throw new ProofError('type', `type ${type} has no signature`);
  const { parity, chainId } = type === 0 ? legacySignature(transaction) : typedSignature(transaction);
  writer.truncate(0);
  writeList(writer, [...fields.slice(0, -SIGNATURE_FIELDS), ...replayProtection(chainId)], transaction);
  if (type > 0) writer.rawByte(type);
  const publicKey = recover(transaction, parity, keccak256(writer.since(0)));
  return toHex(keccak256(publicKey.subarray(1)).subarray(-ADDRESS_BYTES));
}

interface SignatureFacts {
  /** 0 or 1. */
  readonly parity: number;
  /** Only of a legacy transaction that names one. */
  readonly chainId?: bigint;
}

/** https://eips.ethereum.org/EIPS/eip-155: v is 27 or 28, or 35 or 36 plus twice the chain ID. */
function legacySignature({ v = '0x' }: RpcTransaction): SignatureFacts {
  const value = BigInt(v);
  if (value === 27n || value === 28n) return { parity: Number(value - 27n) };
  return { parity: Number((value - 35n) & 1n), chainId: (value - 35n) >> 1n };
}

const typedSignature = ({ yParity, v = '0x' }: RpcTransaction): SignatureFacts => ({
  parity: Number(yParity ?? v),
});

/** Returns the fields that replace the signature in the signed hash of a legacy transaction: EIP-155. */
function replayProtection(chainId: bigint | undefined): readonly Field<RpcTransaction>[] {
  if (chainId === undefined) return [];
  const empty: Field<RpcTransaction> = (writer) => writer.empty();
  return [(writer) => writer.quantity(`0x${chainId.toString(16)}`, 'v'), empty, empty];
}

function recover({ r = '0x', s = '0x' }: RpcTransaction, parity: number, hash: Uint8Array): Uint8Array {
  try {
    return new secp256k1.Signature(BigInt(r), BigInt(s), parity).recoverPublicKey(hash).toBytes(false);
  } catch (error) {
    throw new ProofError('r', `no key has this signature: ${error instanceof Error ? error.message : error}`);
  }
}
