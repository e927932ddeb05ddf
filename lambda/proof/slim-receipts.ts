import { type AddToBloom, BLOOM, openBloom } from './bloom.ts';
import { openList, type RlpReader } from './rlp-reader.ts';
import { ProofError } from './types.ts';

const ADDRESS = 20;
const TOPIC = 32;
/** RLP header of a byte string of 256 bytes. */
const BLOOM_HEADER = [0xb9, 0x01, 0x00];
/** Bytes that a receipt may grow by: its type, a longer list header, and the bloom with its header. */
const MOST_GROWTH = 1 + 4 + BLOOM_HEADER.length + BLOOM;
const MOST_RECEIPTS = 100_000;
const HIGHEST_TYPE = 0x7f;

/** Returns receipts as the receiptsRoot covers them, valid until the next call. @throws ProofError */
type FullReceipts = (slim: Uint8Array) => readonly Buffer[];

/**
 * Returns a function that completes the receipts of ere files: RLP of lists of type, outcome, cumulative gas and logs. They lack the
 * bloom, which follows from the logs.
 */
export function openSlimReceipts(): FullReceipts {
  const addToBloom = openBloom();
  let output = Buffer.allocUnsafeSlow(1 << 19);
  return (slim) => {
    const items = openList(slim, 'receipts');
    const lists: RlpReader[] = [];
    while (!items.isAtEnd()) {
      if (lists.length === MOST_RECEIPTS) throw new ProofError('receipts', 'more than a block can hold');
      lists.push(items.list('receipts'));
    }
    const most = slim.length + lists.length * MOST_GROWTH;
    if (most > output.length) output = Buffer.allocUnsafeSlow(2 * most);
    let end = 0;
    return lists.map((receipt, index) => {
      const begin = end;
      end = writeReceipt(receipt, `receipts[${index}]`, output, begin, addToBloom);
      return output.subarray(begin, end);
    });
  };
}

/** Writes a receipt with its bloom at `begin`, and returns its end. */
function writeReceipt(
  receipt: RlpReader,
  field: string,
  output: Buffer,
  begin: number,
  addToBloom: AddToBloom,
): number {
  const type = Number(receipt.quantity(field));
  if (type > HIGHEST_TYPE) throw new ProofError(field, `${type} is no type of a receipt`);
  const outcome = receipt.item(field);
  const gas = receipt.item(field);
  const logs = receipt.item(field);
  if (!receipt.isAtEnd()) throw new ProofError(field, 'it has more than four members');
  let at = begin;
  if (type > 0) output[at++] = type;
  const bloomLength = BLOOM_HEADER.length + BLOOM;
  at = writeListHeader(output, at, outcome.length + gas.length + bloomLength + logs.length);
  at += outcome.copy(output, at);
  at += gas.copy(output, at);
  for (const byte of BLOOM_HEADER) output[at++] = byte;
  writeBloom(output.subarray(at, at + BLOOM), openList(logs, field), field, addToBloom);
  at += BLOOM;
  return at + logs.copy(output, at);
}

function writeBloom(bloom: Buffer, logs: RlpReader, field: string, addToBloom: AddToBloom): void {
  bloom.fill(0);
  while (!logs.isAtEnd()) {
    const log = logs.list(field);
    addToBloom(bloom, ofLength(log.payload(field), ADDRESS, field));
    const topics = log.list(field);
    while (!topics.isAtEnd()) addToBloom(bloom, ofLength(topics.payload(field), TOPIC, field));
  }
}

function ofLength(value: Buffer, length: number, field: string): Buffer {
  if (value.length === length) return value;
  throw new ProofError(field, `a log has ${value.length} bytes instead of ${length}`);
}

/** Writes the header of a list that is longer than 55 bytes, as its bloom alone is. */
function writeListHeader(output: Buffer, at: number, length: number): number {
  const bytes = length < 1 << 8 ? 1 : length < 1 << 16 ? 2 : length < 1 << 24 ? 3 : 4;
  output[at] = 0xf7 + bytes;
  return output.writeUIntBE(length, at + 1, bytes);
}
