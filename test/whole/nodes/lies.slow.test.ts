import { getDay } from '#core/store/days/days.ts';
import { getStoredDay } from '#core/store/days/stored-days.ts';
import { chainStore } from '#core/store/table/table.ts';
import {
  arbitrum,
  base,
  chainOfScene,
  ethereum,
  plain,
  type Scene,
  startHonest,
  startLying,
  startNode,
} from '#test/support/generators/day-scenes.ts';
import { blockAt } from '#test/support/generators/sample-chain.ts';
import { DAY } from '#test/support/generators/sample-days.ts';
import { type RawBlock, sealBlock } from '#test/support/generators/seal.ts';
import { raised } from '#test/support/generators/sealed-block.ts';
import { inReserve } from '#test/support/nodes/source.ts';
import { runIngest } from '#test/support/processes/run-ingest.ts';
import { useTable } from '#test/support/tables/table.ts';

/* Endpoints that lie consistently about one block of a day, the first of several or all of them. */

const table = useTable();
const storeOf = ({ chain }: Scene) => chainStore(table(), chain);

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
    expect(await runIngest(table(), [liar, inReserve(honest)], { chain })).toMatchObject({
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
    expect(await runIngest(table(), [liar, inReserve(honest)], { chain })).toMatchObject({
      days: [DAY],
      notProven: [expect.stringContaining('block 2: hash: the header does not hash to its hash')],
    });
    expect((await getDay(storeOf(scene), DAY))?.totals).toEqual(scene.totals);
  });

  test('and a hash of its own is not the parent of the next block', async () => {
    await using liar = await startLying(scene, raiseGas);
    await using honest = await startHonest(scene);
    expect(await runIngest(table(), [liar, inReserve(honest)], { chain })).toMatchObject({ days: [DAY] });
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
    expect(await runIngest(table(), [liar, inReserve(honest)], { chain })).toMatchObject({
      outcome: 'failed',
      days: [],
      reason: expect.stringMatching(`${liar.host} reports 0x.*, ${honest.host} reports 0x`),
    });
    expect(await getDay(storeOf(scene), DAY)).toBeUndefined();
  });
});
