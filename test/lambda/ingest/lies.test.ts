import { type Chain, chainOf } from '../../../lambda/chains/chains.ts';
import { NO_FEES } from '../../../lambda/chains/fee-parts.ts';
import { L1_ATTRIBUTES_DEPOSITOR } from '../../../lambda/chains/protocol-transactions.ts';
import type { Totals } from '../../../lambda/chains/totals.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import { getDay } from '../../../lambda/store/days.ts';
import { getStoredDay } from '../../../lambda/store/stored-days.ts';
import { hashOf } from '../../support/builders.ts';
import { startJsonRpcServer } from '../../support/json-rpc-server.ts';
import { runIngest } from '../../support/run-ingest.ts';
import { answerFrom, blockAt } from '../../support/sample-chain.ts';
import { at, DAY } from '../../support/sample-days.ts';
import { hex, type Json, type RawBlock, sealBlock } from '../../support/seal.ts';
import { type Pair, raised, sealedChain } from '../../support/sealed-block.ts';
import { useTable } from '../../support/table.ts';

/* Endpoints that lie consistently about one block of a day, the first of several or all of them. */

const table = useTable();
const BASE_FEE = 10;

interface Scene {
  readonly chain: Chain;
  readonly header: Json;
  /** The transactions of block 2. The second is a user's and pays; none is the last one alone. */
  readonly pairs: readonly Pair[];
  readonly totals: Totals;
}

/** Pays its own price of 17 wei. */
const legacy: Pair = { transaction: { gasPrice: hex(17) } };
/** Pays the base fee and a tip of 5 wei. */
const dynamic = (type: string, price = BASE_FEE + 5, given: Json = {}): Pair => ({
  transaction: {
    type,
    chainId: '0x1',
    maxFeePerGas: hex(30),
    maxPriorityFeePerGas: hex(5),
    gasPrice: hex(price),
    accessList: [],
    yParity: '0x0',
    ...given,
  },
});

const blobTransaction = dynamic('0x3', BASE_FEE + 5, {
  maxFeePerBlobGas: hex(100),
  blobVersionedHashes: [hashOf('blob 1'), hashOf('blob 2')],
});
/** With excess blob gas of three update fractions the price is e^3 wei, rounded down. */
const BLOB_PRICE = 20;
const BPO2_FRACTION = 11_684_671;

const ethereum: Scene = {
  chain: chainOf('ETHEREUM'),
  header: {
    baseFeePerGas: hex(BASE_FEE),
    withdrawalsRoot: hashOf('withdrawals'),
    blobGasUsed: hex(2 * 131_072),
    excessBlobGas: hex(3 * BPO2_FRACTION),
  },
  pairs: [
    legacy,
    dynamic('0x2'),
    { ...blobTransaction, receipt: { blobGasUsed: hex(2 * 131_072), blobGasPrice: hex(BLOB_PRICE) } },
  ],
  totals: {
    blocks: 3,
    transactions: 3,
    protocolTransactions: 0,
    fees: { ...NO_FEES, execution: 21_000n * (17n + 15n + 15n), blob: 262_144n * BigInt(BLOB_PRICE) },
  },
};

const bytes = (value: number, length: number) => value.toString(16).padStart(2 * length, '0');
/** setL1BlockValuesJovian: scalars 1 and 3, L1 base fee 1 and L1 blob base fee 5 gwei; operator fee scalar 2 and constant 5. */
const L1_ATTRIBUTES = `0x3db6be2b${bytes(1, 4)}${bytes(3, 4)}${bytes(0, 24)}${bytes(1e9, 32)}${bytes(5e9, 32)}${bytes(0, 64)}${bytes(2, 4)}${bytes(5, 8)}${bytes(0, 2)}`;
/** 100 bytes, the smallest size, at 16 × 1 × 1 gwei + 3 × 5 gwei per million bytes. */
const L1_FEE = 3_100_000n;
const OPERATOR_FEE = 21_000n * 2n * 100n + 5n;
const onBase = ({ transaction = {} }: Pair): Pair => ({ transaction, receipt: { l1Fee: hex(L1_FEE) } });

const base: Scene = {
  chain: chainOf('BASE'),
  header: { baseFeePerGas: hex(BASE_FEE) },
  pairs: [
    {
      transaction: {
        type: '0x7e',
        from: L1_ATTRIBUTES_DEPOSITOR,
        to: '0x4200000000000000000000000000000000000015',
        sourceHash: hashOf('source'),
        gasPrice: '0x0',
        input: L1_ATTRIBUTES,
      },
      receipt: { depositNonce: '0x1', depositReceiptVersion: '0x1' },
    },
    onBase(dynamic('0x2')),
    onBase(legacy),
  ],
  totals: {
    blocks: 3,
    transactions: 3,
    protocolTransactions: 1,
    fees: {
      ...NO_FEES,
      execution: 21_000n * (15n + 17n),
      l1Data: 2n * L1_FEE,
      operator: 2n * OPERATOR_FEE,
    },
  },
};

/** Nitro begins with genesis here. */
const nitroFromGenesis = (chain: Chain): Chain =>
  chain.rules.family === 'arbitrum' ? { ...chain, rules: { ...chain.rules, nitroBlock: 0 } } : chain;

const arbitrum: Scene = {
  chain: nitroFromGenesis(chainOf('ARBITRUM')),
  header: {
    baseFeePerGas: hex(BASE_FEE),
    difficulty: '0x1',
    extraData: hashOf('send root'),
    mixHash: `0x${bytes(0, 16)}${bytes(61, 8)}${bytes(0, 8)}`,
  },
  pairs: [
    { transaction: { type: '0x6a', chainId: hex(42_161), gasPrice: '0x0' }, receipt: { gasUsed: '0x0' } },
    dynamic('0x2', BASE_FEE),
    { transaction: { gasPrice: hex(17) }, receipt: { effectiveGasPrice: hex(BASE_FEE) } },
  ],
  totals: {
    blocks: 3,
    transactions: 3,
    protocolTransactions: 1,
    fees: { ...NO_FEES, execution: 2n * 21_000n * BigInt(BASE_FEE) },
  },
};

const plain = (name: 'BSC' | 'POLYGON'): Scene => ({
  chain: chainOf(name),
  header: { baseFeePerGas: hex(BASE_FEE) },
  pairs: [legacy, dynamic('0x2'), legacy],
  totals: {
    blocks: 3,
    transactions: 3,
    protocolTransactions: 0,
    fees: { ...NO_FEES, execution: 21_000n * (17n + 15n + 17n) },
  },
});

/** Changes one receipt of the second transaction, or of another. */
const inReceipt =
  (field: string, index = 1) =>
  (block: RawBlock): RawBlock => ({
    ...block,
    receipts: block.receipts.map((receipt, at) =>
      at === index ? { ...receipt, [field]: raised(receipt[field]) } : receipt,
    ),
  });
const without =
  (index: number) =>
  (block: RawBlock): RawBlock => ({
    ...block,
    transactions: block.transactions.toSpliced(index, 1),
    receipts: block.receipts.toSpliced(index, 1),
  });

interface Lie {
  readonly about: string;
  readonly tell: (block: RawBlock) => RawBlock;
  /** The field that the refusal names. */
  readonly field: string;
}

const lies: readonly Lie[] = [
  { about: 'a transaction cut from body and receipts', tell: without(2), field: 'transactionsRoot' },
  { about: 'a transaction dropped from the middle', tell: without(1), field: 'transactionsRoot' },
  {
    about: 'a gas price raised by one',
    tell: inReceipt('effectiveGasPrice'),
    field: 'receipts[1].effectiveGasPrice',
  },
  { about: 'a gas amount raised by one', tell: inReceipt('gasUsed'), field: 'receipts[1].gasUsed' },
  {
    about: 'a base fee raised by one',
    tell: ({ header, ...block }) => ({
      ...block,
      header: { ...header, baseFeePerGas: raised(header.baseFeePerGas) },
    }),
    field: 'hash',
  },
];
const l1FeeLie: Lie = {
  about: 'an L1 fee raised by one',
  tell: inReceipt('l1Fee'),
  field: 'receipts[1].l1Fee',
};
const blobPriceLie: Lie = {
  about: 'a blob price raised by one',
  tell: inReceipt('blobGasPrice', 2),
  field: 'receipts[2].blobGasPrice',
};

/** Three blocks of the day, one before it and one after it. */
const chainOfScene = ({ chain, header, pairs }: Scene) =>
  sealedChain(chain, [
    { header: { ...header, timestamp: hex(at(-1, 80_000)) } },
    { header: { ...header, timestamp: hex(at(0, 0)) } },
    { header: { ...header, timestamp: hex(at(0, 10)) }, pairs },
    { header: { ...header, timestamp: hex(at(0, 20)) } },
    { header: { ...header, timestamp: hex(at(1, 0)) } },
  ]);

/** No multi-gas constraints, for the end of Arbitrum's day. */
const NO_CONSTRAINTS = `0x${bytes(32, 32)}${bytes(0, 32)}`;

const startNode = ({ chain }: Scene, blocks: readonly RawBlock[]) => {
  const answer = answerFrom(blocks, { chainId: chain.id });
  return startJsonRpcServer((call) =>
    call.method === 'eth_call' ? { result: NO_CONSTRAINTS } : answer(call),
  );
};
const startHonest = (scene: Scene) => startNode(scene, chainOfScene(scene));
const startLying = (scene: Scene, tell: Lie['tell']) => {
  const blocks = chainOfScene(scene);
  return startNode(scene, blocks.with(2, tell(blockAt(blocks, 2))));
};

const storeOf = ({ chain }: Scene) => chainStore(table(), chain.name);

const cases = [
  ...[ethereum, base, arbitrum, plain('BSC'), plain('POLYGON')].flatMap((scene) =>
    lies.map((lie) => ({ name: scene.chain.name, scene, ...lie })),
  ),
  { name: 'ETHEREUM', scene: ethereum, ...blobPriceLie },
  { name: 'BASE', scene: base, ...l1FeeLie },
];

describe.each(cases)('on $name, $about', ({ scene, tell, field }) => {
  const { chain, totals } = scene;

  test('from the first endpoint changes no figure, and the report names it and the field', async () => {
    await using liar = await startLying(scene, tell);
    await using honest = await startHonest(scene);
    expect(await runIngest(table(), [liar, honest], { chain })).toMatchObject({
      outcome: 'up to date',
      days: [DAY],
      faults: { [liar.host]: { 'not proven': expect.any(Number) } },
      notProven: [expect.stringContaining(`${liar.host}: ${chain.name} block 2: ${field}: `)],
    });
    expect((await getDay(storeOf(scene), DAY))?.totals).toEqual(totals);
    expect(await getStoredDay(storeOf(scene), DAY)).toMatchObject({
      evidence: 'proven',
      proven_blocks: 3,
      confirmed_by: [liar.host, honest.host].toSorted(),
    });
  });

  test('from every endpoint publishes nothing, and the reason names each and the field', async () => {
    await using one = await startLying(scene, tell);
    await using other = await startLying(scene, tell);
    const report = await runIngest(table(), [one, other], { chain });
    expect(report).toMatchObject({ outcome: 'failed', days: [] });
    for (const { host } of [one, other]) {
      expect(report.reason).toContain(`${host}: ${chain.name} block 2: ${field}: `);
    }
    expect(await getDay(storeOf(scene), DAY)).toBeUndefined();
  });
});

describe.each([ethereum, base, arbitrum])('on $chain.name, a block with a raised gas amount', (scene) => {
  const { chain } = scene;
  const raiseGas = (block: RawBlock) => sealBlock(chain, inReceipt('gasUsed')(block));

  test('whose sums and roots are recomputed does not hash to its hash', async () => {
    await using liar = await startLying(scene, (block) => {
      const lie = raiseGas(block);
      return { ...lie, header: { ...lie.header, hash: block.header.hash } };
    });
    await using honest = await startHonest(scene);
    expect(await runIngest(table(), [liar, honest], { chain })).toMatchObject({
      days: [DAY],
      notProven: [expect.stringContaining('block 2: hash: the header does not hash to its hash')],
    });
    expect((await getDay(storeOf(scene), DAY))?.totals).toEqual(scene.totals);
  });

  test('and a hash of its own is not the parent of the next block', async () => {
    await using liar = await startLying(scene, raiseGas);
    await using honest = await startHonest(scene);
    expect(await runIngest(table(), [liar, honest], { chain })).toMatchObject({ days: [DAY] });
    expect((await getDay(storeOf(scene), DAY))?.totals).toEqual(scene.totals);
  });

  test('and the rest of the chain on it is disputed, and never published', async () => {
    const blocks = chainOfScene(scene);
    const forked = [...blocks.slice(0, 2), raiseGas(blockAt(blocks, 2))];
    for (const block of blocks.slice(3)) {
      const parentHash = forked.at(-1)?.header.hash ?? '';
      forked.push(sealBlock(chain, { ...block, header: { ...block.header, parentHash } }));
    }
    await using liar = await startNode(scene, forked);
    await using honest = await startHonest(scene);
    expect(await runIngest(table(), [liar, honest], { chain })).toMatchObject({
      outcome: 'failed',
      days: [],
      reason: expect.stringContaining(`${chain.name} block 3: endpoints disagree`),
    });
    expect(await getDay(storeOf(scene), DAY)).toBeUndefined();
  });
});
