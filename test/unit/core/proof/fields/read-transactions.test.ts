import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { readTransactions, typeOfPayload } from '#core/proof/fields/read-transactions.ts';
import { type Item, rlp } from '#test/support/generators/blocks/block-bytes.ts';
import { addressOf, hashOf } from '#test/support/generators/blocks/builders.ts';

/* Proves which members of a transaction are read, and that a payload with too few, too many or malformed ones is refused. */

const [sender, receiver] = [addressOf('sender'), addressOf('receiver')];
const payload = (type: number, members: Item): Uint8Array =>
  type === 0 ? rlp(members) : Uint8Array.of(type, ...rlp(members));
const read = (chain: ChainName, type: number, members: Item) => {
  const bytes = payload(type, members);
  const { payload: kept, ...members_ } = readTransactions(chainOf(chain), [bytes])[0] ?? {};
  expect(kept).toBe(bytes);
  return members_;
};

const signature = ['0x01', '0x02', '0x03'];
const content = ['0x5208', receiver, '0x01', '0x'];
const fees = ['0x02', '0x30'];
const GAS = 21_000n;

test.each<[string, ChainName, number, Item[], object]>([
  ['a legacy one', 'ETHEREUM', 0, ['0x09', '0x07', ...content, ...signature], { gas: GAS, feeCap: 7n }],
  [
    'one with an access list',
    'ETHEREUM',
    1,
    ['0x01', '0x09', '0x07', ...content, [], ...signature],
    { gas: GAS, feeCap: 7n },
  ],
  [
    'one with a tip',
    'ETHEREUM',
    2,
    ['0x01', '0x09', ...fees, ...content, [], ...signature],
    { gas: GAS, feeCap: 48n, tip: 2n },
  ],
  [
    'one with two blobs',
    'ETHEREUM',
    3,
    ['0x01', '0x09', ...fees, ...content, [], '0x05', [hashOf('a'), hashOf('b')], ...signature],
    { gas: GAS, feeCap: 48n, tip: 2n, blobFeeCap: 5n, blobs: 2 },
  ],
  [
    'a deposit of the OP stack',
    'BASE',
    0x7e,
    [hashOf('source'), sender, receiver, '0x', '0x', '0x5208', '0x', '0x1234'],
    { gas: GAS, from: sender, input: '0x1234' },
  ],
  [
    "one of Arbitrum's own",
    'ARBITRUM',
    0x65,
    ['0x01', sender, '0x09', '0x07', ...content],
    { gas: GAS, feeCap: 7n },
  ],
])('reads the members of %s that decide its fee', (_, chain, type, members, expected) => {
  expect(read(chain, type, members)).toMatchObject({ type, ...expected });
});

test('reads the receiver only where a rule depends on it, and none of a transaction that creates a contract', () => {
  const legacy = (to: string) => ['0x09', '0x07', '0x5208', to, '0x01', '0x', ...signature];
  expect(read('BSC', 0, legacy(receiver))).toMatchObject({ to: receiver });
  expect(read('BSC', 0, legacy('0x'))).toMatchObject({ to: undefined });
  expect(read('ETHEREUM', 0, legacy(receiver))).not.toHaveProperty('to');
  expect(() => read('BSC', 0, legacy('0x1234'))).toThrow('0x1234 is not 20 bytes');
});

const legacy = ['0x09', '0x07', ...content, ...signature];
test.each([
  ['a member too many', payload(0, [...legacy, '0x01']), 'it has more members than those of type 0'],
  ['a member too few', payload(0, legacy.slice(0, -1)), ''],
  ['a leading zero in its gas', payload(0, legacy.with(2, '0x005208')), ''],
  [
    'half a hash of a blob',
    payload(3, ['0x01', '0x09', ...fees, ...content, [], '0x05', ['0x1234'], ...signature]),
    '',
  ],
])('refuses %s, and names the transaction', (_, second, problem) => {
  const readBoth = () => readTransactions(chainOf('ETHEREUM'), [payload(0, legacy), second]);
  expect(readBoth).toThrow(expect.objectContaining({ field: expect.stringMatching(/^transactions\[1\]/) }));
  expect(readBoth).toThrow(problem);
});

test('a type that its chain does not have is a change of rules', () => {
  expect(() => readTransactions(chainOf('ETHEREUM'), [payload(0x7e, [])])).toThrow(
    expect.objectContaining({ field: 'transactions[0].type', isRuleChange: true }),
  );
});

test.each([
  [0x00, 0],
  [0x7f, 0x7f],
  [0xbf, 0xbf],
  [0xc0, 0],
  [0xff, 0],
])('a payload that begins with %i has the type %i', (first, type) => {
  expect(typeOfPayload(Uint8Array.of(first, 1))).toBe(type);
});
test('an empty payload has the type 0', () => {
  expect(typeOfPayload(new Uint8Array())).toBe(0);
});
