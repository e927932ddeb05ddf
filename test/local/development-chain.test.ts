import { chainNames, chainOf } from '../../lambda/chains/chains.ts';
import { readBlock } from '../../lambda/ingest/read-block.ts';
import { getFinalizedHeader, getReceipts } from '../../lambda/rpc/methods.ts';
import { type DevelopmentChain, startDevelopmentChain } from '../../local/development-chain.ts';

const FIRST_DAY = '2026-11-18';
const started: DevelopmentChain[] = [];

async function start(name: (typeof chainNames)[number]) {
  const chain = await startDevelopmentChain(chainOf(name), FIRST_DAY);
  started.push(chain);
  return chain;
}

afterEach(() => {
  for (const { anvil } of started.splice(0)) anvil.process.kill();
});

const finalizedHash = async ({ endpoint }: DevelopmentChain) => (await getFinalizedHeader(endpoint)).hash;

async function receiptsOf({ endpoint }: DevelopmentChain) {
  const { number } = await getFinalizedHeader(endpoint);
  const numbers = Array.from({ length: number + 1 }, (_, block) => block);
  return (await Promise.all(numbers.map((block) => getReceipts(endpoint, block)))).flat();
}

test('the same chain comes into being whenever it is mined, so that a table that is kept goes on fitting it', async () => {
  const [atOnce, inSteps, other] = await Promise.all([start('BASE'), start('BASE'), start('OPTIMISM')]);
  const end = new Date('2026-11-20T12:00:00Z');
  await Promise.all([atOnce.mineUntil(end), other.mineUntil(end)]);
  for (const time of [
    '2026-11-18T00:00:20Z',
    '2026-11-18T00:00:20Z',
    '2026-11-19T10:00:00Z',
    '2026-11-20T12:00:00Z',
  ]) {
    await inSteps.mineUntil(new Date(time));
  }
  expect(await finalizedHash(inSteps)).toBe(await finalizedHash(atOnce));
  expect(await finalizedHash(other)).not.toBe(await finalizedHash(atOnce));
});

test.each(chainNames)(
  '%s has transactions of all kinds, failed ones and empty blocks, and each block can be read',
  async (name) => {
    const development = await start(name);
    await development.mineUntil(new Date('2026-11-20T01:00:00Z'));
    const receipts = await receiptsOf(development);
    const types = new Set(receipts.map(({ type }) => type));

    expect(types).toEqual(
      new Set([
        0,
        1,
        2,
        ...(name === 'ETHEREUM' || name === 'BSC' ? [3] : []),
        ...(name === 'OPTIMISM' || name === 'BASE' ? [0x7e] : []),
      ]),
    );
    expect(receipts.some(({ to }) => !to)).toBe(true);

    const { chain, endpoint } = development;
    const { number } = await getFinalizedHeader(endpoint);
    const numbers = Array.from({ length: number + 1 }, (_, block) => block);
    const blocks = await Promise.all(numbers.map((block) => readBlock(chain, [endpoint], block)));
    const own = blocks.map(({ totals }) => totals.protocolTransactions);
    const hasOwn = ['OPTIMISM', 'BASE', 'BSC'].includes(name);
    expect(new Set(own.slice(1))).toEqual(new Set([hasOwn ? 1 : 0]));
    expect(blocks.slice(1).some(({ totals }) => totals.transactions === totals.protocolTransactions)).toBe(
      true,
    );
    expect(blocks.some(({ totals }) => totals.fees.blob > 0n)).toBe(types.has(3));
  },
);
