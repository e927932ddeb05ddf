import type { Rules } from '../chains/rule-types.ts';
import { isSameHex, shown, toHex } from './encoding/hex.ts';
import { keccak256 } from './encoding/keccak.ts';
import { ProofError } from './encoding/proof-error.ts';
import { RlpWriter } from './encoding/rlp.ts';
import { data, type Field, fixed, quantity, writeList } from './encoding/rlp-fields.ts';
import { APPENDED_FIELDS, BASE_FIELDS, type HeaderField } from './json/header-fields.ts';
import type { RpcHeader } from './json/rpc-types.ts';

const writerOf = ([name, form]: HeaderField): Field<RpcHeader> =>
  form === 'quantity' ? quantity(name) : form === 'data' ? data(name) : fixed(name, form);

const ALWAYS = BASE_FIELDS.map(writerOf);
const APPENDED = APPENDED_FIELDS.map((field) => ({ name: field[0], field: writerOf(field) }));

const writer = new RlpWriter();

/**
 * Computes the hash of a header.
 * @throws ProofError naming a field that is missing or malformed
 */
export function headerHash(header: RpcHeader): string {
  writer.truncate(0);
  writeList(writer, [...ALWAYS, ...appendedTo(header)], header);
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
function appendedTo(block: RpcHeader): readonly Field<RpcHeader>[] {
  const isAbsent = ({ name }: (typeof APPENDED)[number]) => block[name] === undefined || block[name] === null;
  const firstAbsent = APPENDED.findIndex(isAbsent);
  if (firstAbsent < 0) return APPENDED.map(({ field }) => field);
  const later = APPENDED.slice(firstAbsent).find((member) => !isAbsent(member));
  const gap = APPENDED[firstAbsent]?.name ?? '';
  if (later) throw new ProofError(gap, `the node left it out, though the header has ${later.name}`);
  return APPENDED.slice(0, firstAbsent).map(({ field }) => field);
}
