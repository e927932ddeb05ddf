import { BLOOM, createBlooms } from '#core/proof/encoding/bloom.ts';
import { ProofError } from '#core/proof/encoding/proof-error.ts';
import { createReceiptCompleter, type ReceiptForm } from '#core/proof/raw/bloomless-receipts.ts';
import { type Item, rlp } from '#test/support/generators/blocks/block-bytes.ts';
import { addressOf, hashOf } from '#test/support/generators/blocks/builders.ts';

/*
 * Proves that receipts of each form are completed to the bytes that the root covers, as another encoder writes them, and which are
 * refused. test/whole/proof/real-blocks.test.ts completes recorded ones, and bloom.test.ts compares blooms.
 */

interface Receipt {
  readonly type: number;
  readonly logs: readonly (readonly [address: string, topics: readonly string[], data: string])[];
  /** Members of a deposit after the logs. */
  readonly deposit?: readonly string[];
}
const [STATUS, GAS] = ['0x01', '0x5208'];

function bloomOf({ logs }: Receipt): Uint8Array {
  const bloom = Buffer.alloc(BLOOM);
  const blooms = createBlooms();
  for (const value of logs.flatMap(([address, topics]) => [address, ...topics])) {
    const bytes = Uint8Array.from(Buffer.from(value.slice(2), 'hex'));
    blooms.add(bloom, 0, new DataView(bytes.buffer), 0, bytes.length);
  }
  blooms.finish(bloom);
  return bloom;
}

const completed = (receipt: Receipt) => {
  const list = rlp([STATUS, GAS, bloomOf(receipt), receipt.logs, ...(receipt.deposit ?? [])]);
  return receipt.type === 0 ? list : Buffer.concat([Uint8Array.of(receipt.type), list]);
};

const forms: Readonly<Record<ReceiptForm, (receipt: Receipt) => Item>> = {
  ere: ({ type, logs }) => [type, STATUS, GAS, logs],
  geth: ({ logs }) => [STATUS, GAS, logs],
  'op-geth': ({ logs, deposit = [] }) => [STATUS, GAS, logs, ...deposit],
  nitro: ({ logs }) => [STATUS, GAS, '0x1234', logs, addressOf('contract'), ['0x01']],
};

const complete = (form: ReceiptForm, receipts: readonly Receipt[]) =>
  createReceiptCompleter(form)(
    rlp(receipts.map((receipt) => forms[form](receipt))),
    receipts.map(({ type }) => type),
  ).map((bytes) => bytes.toString('hex'));
const expected = (receipts: readonly Receipt[]) =>
  receipts.map((receipt) => Buffer.from(completed(receipt)).toString('hex'));

const log = (bytes: number) =>
  [addressOf(bytes), [hashOf(bytes), hashOf('b')], `0x${'12'.repeat(bytes)}`] as const;
const receipts: readonly Receipt[] = [
  { type: 0, logs: [] },
  { type: 2, logs: [log(0), log(40)] },
  { type: 0x7f, logs: [log(1)] },
];

test.each(Object.keys(forms) as ReceiptForm[])('completes receipts of the form %s', (form) => {
  expect(complete(form, receipts)).toEqual(expected(receipts));
});

test('keeps what follows the logs of a deposit, which the root covers', () => {
  const deposits = [{ type: 0x7e, logs: [log(3)], deposit: ['0x09', '0x01'] }];
  expect(complete('op-geth', deposits)).toEqual(expected(deposits));
});

// With 65,175 bytes of data, a receipt has 65,536, so its length takes a byte more.
test.each([0, 65_174, 65_175, 65_176])('completes a receipt with %i bytes of data', (bytes) => {
  const long = [{ type: 1, logs: [log(bytes)] }, ...receipts];
  expect(complete('geth', long)).toEqual(expected(long));
});

test('completes blocks of more than half a megabyte, by many receipts or a long one', () => {
  const short: Receipt = { type: 2, logs: [] };
  const one = Buffer.from(completed(short)).toString('hex');
  expect(complete('geth', Array(3_000).fill(short))).toEqual(Array(3_000).fill(one));
  const long = [{ type: 1, logs: [log(600_000)] }, short];
  expect(complete('geth', long)).toEqual(expected(long));
});

test('uses its memory again for the next block', () => {
  const completer = createReceiptCompleter('ere');
  for (const block of [receipts, receipts.toReversed()])
    expect(completer(rlp(block.map(forms.ere))).map((bytes) => bytes.toString('hex'))).toEqual(
      expected(block),
    );
});

test.each<[ReceiptForm, Receipt]>([
  ['ere', { type: 0, logs: [] }],
  ['geth', { type: 0, logs: [] }],
  ['op-geth', { type: 0x7e, logs: [], deposit: ['0x09', '0x01'] }],
  ['nitro', { type: 0, logs: [] }],
])('refuses a receipt of the form %s with a member too many', (form, receipt) => {
  const bytes = rlp([[...(forms[form](receipt) as Item[]), '0x01']]);
  expect(() => createReceiptCompleter(form)(bytes, [receipt.type])).toThrow(
    expect.objectContaining({ field: 'receipts[0]' }),
  );
});

const slim = (change: (members: readonly Item[]) => Item) =>
  rlp([forms.geth(receipts[0] as Receipt), change(forms.geth({ type: 0, logs: [log(1)] }) as Item[])]);
const [[address, topics]] = [log(1)];

test.each([
  ['no transaction', slim((members) => members), [0], 'receipts[1]'],
  ['a type above 0x7f', slim((members) => members), [0, 0x80], 'receipts[1].type'],
  [
    'an address of 19 bytes',
    slim((members) => members.with(2, [[address.slice(0, -2), topics, '0x']])),
    [0, 0],
    'receipts[1].logs',
  ],
  [
    'half a topic',
    slim((members) => members.with(2, [[address, ['0x1234'], '0x']])),
    [0, 0],
    'receipts[1].logs',
  ],
  [
    'a log with a member too many',
    slim((members) => members.with(2, [[address, topics, '0x', '0x']])),
    [0, 0],
    'receipts[1].logs',
  ],
  [
    'a byte, of as many receipts as a block can hold',
    rlp(Array<string>(100_000).fill('0x01')),
    [],
    'receipts[0]',
  ],
  ['more receipts than a block can hold', rlp(Array<string>(100_001).fill('0x01')), [], 'receipts'],
])('refuses %s, and names it', (_, bytes, types, field) => {
  const refuse = () => createReceiptCompleter('geth')(bytes, types);
  expect(refuse).toThrow(ProofError);
  expect(refuse).toThrow(expect.objectContaining({ field }));
});
