import fc from 'fast-check';
import { gasPricesSchema, headerSchema, quantity, receiptsSchema } from '../../../lambda/rpc/decode.ts';
import { sampleChain } from '../../support/sample-chain.ts';

const [, , raw] = sampleChain([0, 10, 20]);

test('decodes a quantity exactly, in either case and as a number', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (value) => {
      const digits = value.toString(16);
      expect(quantity.parse(`0x${digits}`)).toBe(value);
      expect(quantity.parse(`0x${digits.toUpperCase()}`)).toBe(value);
    }),
  );
  expect(quantity.parse(1_763_424_000)).toBe(1_763_424_000n);
});

test.each([
  ['0x'],
  ['12'],
  [''],
  ['0xg'],
  ['-0x1'],
  [-1],
  [1.5],
  [Number.MAX_VALUE],
  [null],
  [undefined],
  [{}],
  [['0x1']],
  [`0x1${'0'.repeat(64)}`],
])('refuses the quantity %p', (value) => {
  expect(quantity.safeParse(value).success).toBe(false);
});

test('decodes a header and drops unused fields', () => {
  expect(headerSchema.parse({ ...raw?.header, size: '0x5', number: '0x2', timestamp: 20 })).toEqual({
    number: 2,
    hash: raw?.header.hash,
    parentHash: raw?.header.parentHash,
    timestamp: 20,
    miner: raw?.header.miner,
    transactions: raw?.header.transactions,
  });
});

test.each(['number', 'hash', 'parentHash', 'timestamp', 'transactions'])(
  'refuses a header without %s',
  (field) => {
    expect(headerSchema.safeParse({ ...raw?.header, [field]: undefined }).success).toBe(false);
  },
);

test('refuses an unsafe block number', () => {
  expect(
    headerSchema.safeParse({ ...raw?.header, number: '0x20000000000000' }).error?.issues[0]?.message,
  ).toBe('expected a smaller number');
});

test('accepts timestamps up to the year 9999', () => {
  const at = (timestamp: number) => headerSchema.safeParse({ ...raw?.header, timestamp });
  expect(at(253_402_300_799).data?.timestamp).toBe(253_402_300_799);
  expect(at(253_402_300_800).error?.issues[0]?.message).toBe('expected a timestamp in seconds');
});

test('decodes hashes and addresses to lower case', () => {
  const [first] = raw?.receipts ?? [];
  const shouting = { ...first, type: '0x7E', from: `0x${String(first?.from).slice(2).toUpperCase()}` };
  expect(receiptsSchema.parse([shouting])[0]).toMatchObject({ type: 0x7e, from: first?.from });
});

test.each([
  'transactionHash',
  'transactionIndex',
  'blockHash',
  'blockNumber',
  'type',
  'from',
  'gasUsed',
  'cumulativeGasUsed',
])('refuses a receipt without %s and names its index', (field) => {
  for (const value of [undefined, null, 'ten', {}]) {
    const [first, second] = raw?.receipts ?? [];
    const { error } = receiptsSchema.safeParse([first, { ...second, [field]: value }]);
    expect(error?.issues).toHaveLength(1);
    expect(error?.issues[0]?.path).toEqual([1, field]);
    expect(error?.issues[0]?.message).toMatch(
      /^expected an? (hash of 32 bytes|address of 20 bytes|hex quantity)$/,
    );
  }
  const [{ [field]: _, ...first } = {}] = raw?.receipts ?? [];
  expect(receiptsSchema.safeParse([first]).error?.issues).toMatchObject([{ path: [0, field] }]);
});

test.each([[null], ['0x1'], [undefined]])('refuses the receipt %p', (value) => {
  expect(receiptsSchema.safeParse([value]).error?.issues).toMatchObject([
    { path: [0], message: 'expected a receipt' },
  ]);
});

test('optional fields of a receipt may be absent or null, which remain distinct', () => {
  const receipts = raw?.receipts.map((receipt) => ({
    ...receipt,
    effectiveGasPrice: undefined,
    l1Fee: null,
  }));
  const [decoded] = receiptsSchema.parse(receipts);
  expect(decoded?.effectiveGasPrice).toBeUndefined();
  expect(decoded?.l1Fee).toBeNull();
});

test('decodes only the prices of transactions', () => {
  const hash = raw?.header.transactions[0];
  expect(gasPricesSchema.parse({ transactions: [{ hash, gasPrice: '0x5', input: '0x' }] })).toEqual({
    transactions: [{ hash, gasPrice: 5n }],
  });
});
