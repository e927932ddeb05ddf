import { BLOOM, type Blooms, createBlooms } from '../encoding/bloom.ts';
import { inElement, ProofError } from '../encoding/proof-error.ts';
import { asBuffer, createListReader, type RlpReader } from '../encoding/rlp-reader.ts';
import { MAX_TRANSACTIONS } from '../json/rpc-types.ts';

const ADDRESS = 20;
const TOPIC = 32;
/** Bytes of a bloom's RLP before its bits. */
const BLOOM_HEADER = 3;
/** RLP of a bloom without bits. */
const EMPTY_BLOOM = Uint8Array.from({ length: BLOOM_HEADER + BLOOM }, (_, at) => [0xb9, 0x01][at] ?? 0);
/** The maximum number of bytes that are added to a receipt: its type, a longer list header, and the bloom with its header. */
const MAX_GROWTH = 1 + 4 + EMPTY_BLOOM.length;
const MAX_TYPE = 0x7f;

/**
 * Forms of receipts without a bloom, which follows from the logs. They differ in the members beside outcome, cumulative gas and logs:
 * - `ere`: the type before;
 * - `geth`, as geth, bsc and bor store them: none. The type is that of the transaction;
 * - `op-geth`: after the logs, the nonce of a deposit and the version of its receipt, which the root covers;
 * - `nitro`: the gas for L1 before the logs, and the contract and multi-gas after them, which no root covers.
 */
export type ReceiptForm = 'ere' | 'geth' | 'op-geth' | 'nitro';

/**
 * Returns a function that completes the receipts of a block. It returns them as the receiptsRoot covers them, valid until its next call.
 * It takes the types of the transactions for forms whose receipts do not state them, and throws ProofError.
 */
export function createReceiptCompleter(
  form: ReceiptForm,
): (slim: Uint8Array, types?: readonly number[]) => readonly Buffer[] {
  const blooms = createBlooms();
  let output = Buffer.allocUnsafeSlow(1 << 19);
  return (slim: Uint8Array, types: readonly number[] = []): readonly Buffer[] => {
    const bytes = asBuffer(slim);
    const count = createListReader(bytes, 'receipts').count('receipts');
    if (count > MAX_TRANSACTIONS) throw new ProofError('receipts', 'more than a block can hold');
    const max = bytes.length + count * MAX_GROWTH;
    if (max > output.length) output = Buffer.allocUnsafeSlow(2 * max);
    const items = createListReader(bytes, 'receipts');
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const receipts: Buffer[] = [];
    let end = 0;
    while (!items.isAtEnd()) {
      const begin = end;
      end = inElement('receipts', receipts.length, () =>
        writeReceipt(form, types[receipts.length], items, bytes, view, output, begin, blooms),
      );
      receipts.push(output.subarray(begin, end));
    }
    blooms.finish(output);
    return receipts;
  };
}

/** Members that a receipt may have after its logs. */
const AFTER_LOGS: Readonly<Record<ReceiptForm, number>> = { ere: 0, geth: 0, 'op-geth': 2, nitro: 2 };

/** Writes a receipt at `begin`, and returns its end. The bits of the bloom are set later. */
function writeReceipt(
  form: ReceiptForm,
  typeOfTransaction: number | undefined,
  items: RlpReader,
  bytes: Buffer,
  view: DataView,
  output: Buffer,
  begin: number,
  blooms: Blooms,
): number {
  const receipt = items.enter('');
  const receiptEnd = items.end();
  const type = form === 'ere' ? Number(items.integer('type')) : typeOfTransaction;
  if (type === undefined) throw new ProofError('', 'it has no transaction');
  if (type > MAX_TYPE) throw new ProofError('type', `${type} is not a receipt type`);
  const outcomeAt = items.position();
  items.skip('status');
  items.skip('cumulativeGasUsed');
  const outcomeEnd = items.position();
  if (form === 'nitro') items.skip('gasUsedForL1');
  const logsAt = items.position();
  const logs = items.enter('logs');
  const logsEnd = items.end();
  const end = form === 'op-geth' ? receiptEnd : logsEnd;
  let at = begin;
  if (type > 0) output[at++] = type;
  at = writeListHeader(output, at, outcomeEnd - outcomeAt + EMPTY_BLOOM.length + end - logsAt);
  for (let from = outcomeAt; from < outcomeEnd; from++) output[at++] = bytes[from] as number;
  output.set(EMPTY_BLOOM, at);
  const bloom = at + BLOOM_HEADER;
  at += EMPTY_BLOOM.length;
  at += bytes.copy(output, at, logsAt, end);
  while (!items.isAtEnd()) {
    const log = items.enter('logs');
    blooms.add(output, bloom, view, items.fixedAt(ADDRESS, 'logs'), ADDRESS);
    const topics = items.enter('logs');
    while (!items.isAtEnd()) blooms.add(output, bloom, view, items.fixedAt(TOPIC, 'logs'), TOPIC);
    items.leave(topics, 'logs');
    items.skip('logs');
    items.leave(log, 'logs');
  }
  items.leave(logs, 'logs');
  for (let member = 0; member < AFTER_LOGS[form] && !items.isAtEnd(); member++) items.skip('');
  items.leave(receipt, '');
  return at;
}

/** Writes the header of a list of more than 55 bytes. Each receipt is longer, because of its bloom. */
function writeListHeader(output: Buffer, at: number, length: number): number {
  const bytes = Math.ceil((32 - Math.clz32(length)) / 8);
  output[at] = 0xf7 + bytes;
  return output.writeUIntBE(length, at + 1, bytes);
}
