import type { Rules } from '../chains/rule-types.ts';
import { isSameHex, shown, toHex } from './encoding/hex.ts';
import { keccak256 } from './encoding/keccak.ts';
import { ProofError, unknownRule } from './encoding/proof-error.ts';
import { data, fixed, quantity, RlpWriter, writeList } from './encoding/rlp.ts';
import { createListReader } from './encoding/rlp-reader.ts';
import { APPENDED_FIELDS, BASE_FIELDS, type HeaderField, type RpcHeader } from './json/rpc-types.ts';

const writer = new RlpWriter();

const writerOf = ([name, form]: HeaderField) =>
  typeof form === 'number' ? fixed(name, form) : { quantity, data }[form](name);

const ALWAYS = BASE_FIELDS.map(writerOf);
const APPENDED = APPENDED_FIELDS.map(writerOf);

/** Computes the hash of a header. @throws ProofError naming a field that is missing or malformed */
export function headerHash(header: RpcHeader): string {
  const fields = [...ALWAYS, ...appendedTo(header)];
  writer.truncate(0);
  writeList(writer, fields, header);
  return toHex(keccak256(writer.since(0)));
}

/**
 * The `miner` that Polygon's hashes cover: no address, and since block 77,414,656 the account that collects tips. Erigon answers with the
 * validator instead. https://github.com/0xPolygon/bor builder/files/genesis-mainnet-v1.json, `coinbase`
 */
const POLYGON_MINERS = [`0x${'0'.repeat(40)}`, '0x7ee41d8a25641000661b1ef5e6ae8a00400466b0'];

/**
 * Checks that a header hashes to its hash. A Polygon header may state another `miner`, which no figure depends on.
 * @throws ProofError naming the field
 */
export function proveHeader(block: RpcHeader, rules?: Rules): string {
  const hash = headerHash(block);
  if (isSameHex(hash, block.hash)) return hash;
  for (const miner of rules?.family === 'polygon' ? POLYGON_MINERS : []) {
    const other = headerHash({ ...block, miner });
    if (isSameHex(other, block.hash)) return other;
  }
  throw new ProofError(
    'hash',
    `the header does not hash to its hash ${shown(block.hash)}, but to ${hash}; if every endpoint says so, this chain has forked: update Chain Insights`,
  );
}

/**
 * Returns the appended members. A header with a later one must have all earlier ones: with a gap, a value could pass for another one with
 * the same encoding, such as a base fee for blob gas, under the same hash.
 */
function appendedTo(header: RpcHeader) {
  const isPresent = ([name]: HeaderField) => header[name] !== undefined && header[name] !== null;
  const count = APPENDED_FIELDS.findLastIndex(isPresent) + 1;
  const gap = APPENDED_FIELDS.slice(0, count).find((field) => !isPresent(field));
  if (!gap) return APPENDED.slice(0, count);
  const last = APPENDED_FIELDS[count - 1]?.[0];
  throw new ProofError(gap[0], `the node left it out, though the header has ${last}`);
}

/**
 * Decodes a header from its RLP, and computes its hash.
 * @throws ProofError naming the first member that is malformed, or when a fork added members that this version does not know
 */
export function decodeRawHeader(bytes: Uint8Array): RpcHeader {
  const items = createListReader(bytes, 'header');
  const header: Partial<Record<keyof RpcHeader, string>> = { hash: toHex(keccak256(bytes)) };
  for (const [index, [name, form]] of [...BASE_FIELDS, ...APPENDED_FIELDS].entries()) {
    if (index >= BASE_FIELDS.length && items.isAtEnd()) break;
    header[name] = typeof form === 'number' ? items.fixed(form, name) : items[form](name);
  }
  if (items.isAtEnd()) return header as RpcHeader;
  throw unknownRule(
    'header',
    'it has more members than are known here: this chain has forked. Update Chain Insights.',
  );
}
