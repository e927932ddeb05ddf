import { toHex } from '../encoding/hex.ts';
import { keccak256 } from '../encoding/keccak.ts';
import { unknownRule } from '../encoding/proof-error.ts';
import { createListReader } from '../encoding/rlp-reader.ts';
import { APPENDED_FIELDS, BASE_FIELDS, type HeaderField } from '../json/header-fields.ts';
import type { RpcHeader } from '../json/rpc-types.ts';

/**
 * Decodes a header and computes its hash.
 * @param bytes the RLP that hashes to the block's hash
 * @throws ProofError naming the first member that is malformed, or when a fork added members that this version does not know
 */
export function decodeRawHeader(bytes: Uint8Array): RpcHeader {
  const items = createListReader(bytes, 'header');
  const header: Partial<Record<keyof RpcHeader, string>> = { hash: toHex(keccak256(bytes)) };
  const read = ([name, form]: HeaderField) => {
    header[name] =
      form === 'quantity'
        ? items.quantity(name)
        : form === 'data'
          ? items.data(name)
          : items.fixed(form, name);
  };
  for (const field of BASE_FIELDS) read(field);
  for (const field of APPENDED_FIELDS) {
    if (items.isAtEnd()) break;
    read(field);
  }
  if (items.isAtEnd()) return header as RpcHeader;
  throw unknownRule(
    'header',
    'it has more members than are known here: this chain has forked. Update Chain Insights.',
  );
}
