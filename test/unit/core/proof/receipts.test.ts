import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { bloomOf } from '#core/proof/encoding/bloom.ts';
import { toHex } from '#core/proof/encoding/hex.ts';
import { ProofError } from '#core/proof/encoding/proof-error.ts';
import { trieRoot } from '#core/proof/encoding/trie-root.ts';
import { LEAF, type RpcBlock, type RpcReceipt } from '#core/proof/json/rpc-types.ts';
import { createReceiptHasher, encodeReceipts, proveGas, proveReceipts } from '#core/proof/receipts.ts';
import { type Item, rlp } from '#test/support/generators/blocks/block-bytes.ts';
import { addressOf, hashOf } from '#test/support/generators/blocks/builders.ts';

/* Proves which members of a receipt its root covers, as another encoder writes them, and how gas follows from the cumulative gas. */

const log = (name: string) => ({
  address: addressOf(name),
  topics: [hashOf(name), hashOf('b')],
  data: '0x1234',
});
const logItem = ({ address, topics, data }: ReturnType<typeof log>): Item => [address, topics, data];
const logs = [log('first'), log('second')];
const plain: RpcReceipt = { transactionHash: hashOf('t'), status: '0x1', cumulativeGasUsed: '0x5208', logs };
const members = (outcome: string, ...more: readonly string[]): Item[] => [
  ...more,
  outcome,
  '0x5208',
  bloomOf(logs),
  logs.map(logItem),
];
/** https://specs.optimism.io/protocol/canyon/overview.html: Canyon of Base. */
const CANYON = Date.parse('2024-01-11T17:00:01Z') / 1_000;

interface Encoded {
  readonly chain?: ChainName;
  readonly type?: number;
  readonly timestamp?: number;
}
function encoded(
  change: { readonly [Name in keyof RpcReceipt]?: RpcReceipt[Name] | undefined },
  { chain = 'ETHEREUM', type = 0, timestamp = CANYON }: Encoded = {},
) {
  const block = { timestamp: `0x${timestamp.toString(16)}` };
  const [payload] = encodeReceipts(
    chainOf(chain).rules,
    block,
    [{ type }],
    [{ ...plain, ...change } as RpcReceipt],
  );
  return payload && toHex(payload);
}
const typed = (type: string, items: Item) => `${type}${toHex(rlp(items)).slice(2)}`;

describe('the root covers', () => {
  test('status, cumulative gas, bloom and logs in their order, behind the type', () => {
    expect(encoded({})).toBe(toHex(rlp(members('0x01'))));
    expect(encoded({ status: '0x0' })).toBe(toHex(rlp(members('0x'))));
    expect(encoded({}, { type: 1 })).toBe(typed('0x01', members('0x01')));
    expect(encoded({}, { type: 2 })).toBe(typed('0x02', members('0x01')));
  });

  test('the bloom that the node gives, or else that of the logs', () => {
    expect(encoded({ logsBloom: bloomOf(logs) })).toBe(encoded({}));
    expect(encoded({ logsBloom: `0x${'00'.repeat(256)}` })).not.toBe(encoded({}));
    expect(() => encoded({ logsBloom: '0x1234' })).toThrow(
      expect.objectContaining({ field: 'receipts[0].logsBloom' }),
    );
  });

  test('the state root of before Byzantium, even beside a status, and nothing else in its place', () => {
    const root = `0x${'0'.repeat(63)}1`;
    expect(encoded({ root, status: undefined })).toBe(toHex(rlp(members(root))));
    expect(encoded({ root })).toBe(toHex(rlp(members(root))));
    const first = `0x1${'0'.repeat(63)}`;
    expect(encoded({ root: first })).toBe(toHex(rlp(members(first))));
    for (const other of ['0x', `0x${'00'.repeat(32)}`, `0x${'12'.repeat(31)}`, `0x${'12'.repeat(33)}`, null])
      expect(encoded({ root: other })).toBe(encoded({}));
    for (const status of [undefined, null])
      expect(() => encoded({ status, root: `0x${'00'.repeat(32)}` })).toThrow(
        expect.objectContaining({ field: 'receipts[0].status' }),
      );
  });

  test('logs of an address of 20 bytes', () => {
    const short = { ...log('a'), address: addressOf('a').slice(0, -2) };
    expect(() => encoded({ logs: [log('b'), short] })).toThrow(
      expect.objectContaining({ field: 'receipts[0].logs' }),
    );
  });
});

describe('the receipt of a deposit', () => {
  const deposit = (change: Partial<RpcReceipt>, timestamp: number) =>
    encoded({ depositNonce: '0x9', ...change }, { chain: 'BASE', type: 0x7e, timestamp });
  const without = typed('0x7e', members('0x01'));
  const both = (() => {
    const [outcome, gas, bloom, list] = members('0x01') as [Item, Item, Item, Item];
    return typed('0x7e', [outcome, gas, bloom, list, '0x09', '0x01']);
  })();

  test.each<[string, Partial<RpcReceipt>, number, string]>([
    ['neither before Canyon', {}, CANYON - 1, without],
    [
      'neither before Canyon, where some nodes give a version of 0',
      { depositReceiptVersion: '0x0' },
      CANYON - 1,
      without,
    ],
    ['both, if it has a version', { depositReceiptVersion: '0x1' }, CANYON - 1, both],
    ['both since Canyon', { depositReceiptVersion: '0x1' }, CANYON, both],
    ['both since Canyon, if a node leaves out the version of 1', {}, CANYON, both],
  ])('hashes its nonce and version: %s', (_, change, timestamp, expected) => {
    expect(deposit(change, timestamp)).toBe(expected);
  });

  test('is the only one with either', () => {
    const given = { depositNonce: '0x9', depositReceiptVersion: '0x1' };
    expect(encoded(given, { chain: 'BASE', type: 2 })).toBe(typed('0x02', members('0x01')));
  });
});

const transactions = [0, 2].map((type, index) => ({
  type,
  hash: hashOf(`t${index}`),
  payload: new Uint8Array(),
}));
const answers: readonly RpcReceipt[] = [
  { ...plain, transactionHash: hashOf('t0'), type: '0x0' },
  { ...plain, transactionHash: hashOf('t1'), status: '0x0', cumulativeGasUsed: '0xa410' },
];
const rules = chainOf('ETHEREUM').rules;
const block = {
  timestamp: '0x1',
  receiptsRoot: toHex(trieRoot(encodeReceipts(rules, { timestamp: '0x1' }, transactions, answers))),
} as RpcBlock;
const refusalOf = (receipts: readonly RpcReceipt[]) => () =>
  proveReceipts(rules, block, transactions, receipts);

describe('proveReceipts', () => {
  test('returns the gas and the outcome of each transaction', () => {
    expect(proveReceipts(rules, block, transactions, answers)).toEqual([
      { cumulativeGasUsed: '0x5208', gasUsed: undefined, isFailed: false },
      { cumulativeGasUsed: '0xa410', gasUsed: undefined, isFailed: true },
    ]);
  });

  test('does not know the outcome where the root covers a state root instead', () => {
    const old = answers.map((receipt) => ({ ...receipt, root: hashOf('state'), status: '0x0' }));
    const receiptsRoot = toHex(trieRoot(encodeReceipts(rules, block, transactions, old)));
    const proven = proveReceipts(rules, { ...block, receiptsRoot }, transactions, old);
    expect(proven.map(({ isFailed }) => isFailed)).toEqual([undefined, undefined]);
  });

  test.each<[string, readonly RpcReceipt[], string]>([
    ['one short', answers.slice(1), 'receipts'],
    ['in another order', answers.toReversed(), 'receipts[0].transactionHash'],
    ['of another type', answers.with(1, { ...(answers[1] as RpcReceipt), type: '0x3' }), 'receipts[1].type'],
    [
      'with another outcome',
      answers.with(1, { ...(answers[1] as RpcReceipt), status: '0x1' }),
      'receiptsRoot',
    ],
  ])('refuses receipts that are %s', (_, receipts, field) => {
    expect(refusalOf(receipts)).toThrow(expect.objectContaining({ field }));
  });

  test('leaves the hash of a state-sync open, which nodes derive differently', () => {
    const stateSync = [{ type: 0x7f, hash: hashOf('one'), payload: new Uint8Array() }];
    const receipts = [{ ...plain, transactionHash: hashOf('another') }];
    const polygon = chainOf('POLYGON').rules;
    const receiptsRoot = toHex(trieRoot(encodeReceipts(polygon, block, stateSync, receipts)));
    expect(proveReceipts(polygon, { ...block, receiptsRoot }, stateSync, receipts)).toHaveLength(1);
  });
});

describe('createReceiptHasher', () => {
  const hashAll = (given: readonly unknown[], aggregator?: string, chain: ChainName = 'ETHEREUM') => {
    const hash = createReceiptHasher(chainOf(chain).rules, block, [0, 2], aggregator);
    return given.map((receipt, index) => hash(receipt, index)) as readonly RpcReceipt[];
  };

  test('hashes receipts one by one to the same root, without their logs and blooms', () => {
    const hashed = hashAll(answers.map((receipt) => ({ ...receipt, logsBloom: bloomOf(logs) })));
    for (const receipt of hashed) expect([receipt.logs, receipt.logsBloom]).toEqual([undefined, undefined]);
    expect(proveReceipts(rules, block, transactions, hashed)).toEqual(
      proveReceipts(rules, block, transactions, answers),
    );
    expect(refusalOf(hashed.with(1, hashed[0] as RpcReceipt).with(0, hashed[1] as RpcReceipt))).toThrow(
      'is not its transaction',
    );
  });

  test('keeps the logs of the aggregator, and on Arbitrum those that schedule redeems', () => {
    const [first] = logs;
    expect(hashAll(answers, first?.address.toUpperCase().replace('0X', '0x'))[0]?.logs).toEqual([first]);
    const retryable = { ...log('a'), address: `0x${'6e'.padStart(40, '0')}` };
    expect(hashAll([{ ...plain, logs: [...logs, retryable] }], undefined, 'ARBITRUM')[0]?.logs).toEqual([
      retryable,
    ]);
  });

  test('returns as it came what is not the receipt of a transaction', () => {
    expect(hashAll([...answers, plain])[2]).toBe(plain);
    for (const other of [null, 'text', undefined]) expect(hashAll([other])[0]).toBe(other);
  });

  test('refuses a block with a receipt that could not be hashed, or was not', () => {
    const broken = { ...answers[1], logs: [{ ...log('a'), address: '0x12' }] };
    const hashed = hashAll([answers[0], broken]);
    expect(hashed[1]?.[LEAF]).toBeInstanceOf(ProofError);
    expect(refusalOf(hashed)).toThrow(expect.objectContaining({ field: 'receipts[1].logs' }));
    expect(refusalOf([hashAll(answers)[0] as RpcReceipt, answers[1] as RpcReceipt])).toThrow(
      'not hashed as they came',
    );
  });
});

const gasOf = (cumulative: readonly string[], header: Partial<Parameters<typeof proveGas>[0]> = {}) =>
  proveGas(
    { gasUsed: cumulative.at(-1) ?? '0x0', ...header },
    cumulative.map(() => ({ gas: 0x5208n })),
    cumulative.map((cumulativeGasUsed) => ({ cumulativeGasUsed })),
  );

test('refuses cumulative gas that falls, as in a forged block with negative fees', () => {
  expect(() => gasOf(['0xffffff', '0x5208'])).toThrow(ProofError);
});

test('a transaction may use no gas, as those of the protocol do, and a receipt states its gas or nothing', () => {
  const header = { gasUsed: '0xa410' };
  const gas = [{}, {}, {}];
  const sums = ['0x5208', '0x5208', '0xa410'];
  const used = (stated: readonly (string | null | undefined)[]) =>
    proveGas(
      header,
      gas,
      sums.map((cumulativeGasUsed, index) => ({ cumulativeGasUsed, gasUsed: stated[index] })),
    );
  for (const stated of [[], [null, null, null], ['0x5208', '0x0', '0x5208']])
    expect(used(stated)).toEqual([21_000n, 0n, 21_000n]);
  expect(() => used(['0x5208', '0x1'])).toThrow(expect.objectContaining({ field: 'receipts[1].gasUsed' }));
});

test('refuses cumulative gas that falls by one', () => {
  expect(() => gasOf(['0x5208', '0x5207'])).toThrow(
    expect.objectContaining({ field: 'receipts[1].cumulativeGasUsed', isRuleChange: false }),
  );
});

test('before Amsterdam, another gas in the header than the last cumulative gas is a change of rules', () => {
  expect(() => gasOf(['0x5208'], { gasUsed: '0x5209' })).toThrow(
    expect.objectContaining({ field: 'gasUsed', isRuleChange: true }),
  );
});

describe('since Amsterdam', () => {
  const blockAccessListHash = `0x${'1d'.repeat(32)}`;

  test.each(['0x1', '0x5208', '0xffffff'])(
    'the header may state %s gas for receipts of 42,000',
    (gasUsed) => {
      expect(gasOf(['0x5208', '0xa410'], { gasUsed, blockAccessListHash })).toEqual([21_000n, 21_000n]);
    },
  );

  test('more gas than the limit of its transaction is a change of rules', () => {
    expect(() => gasOf(['0x5208', '0xa411'], { blockAccessListHash })).toThrow(
      expect.objectContaining({ field: 'receipts[1].cumulativeGasUsed', isRuleChange: true }),
    );
  });
});
