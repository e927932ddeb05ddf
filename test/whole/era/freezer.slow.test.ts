import { openFreezer } from '#core/blocks/freezer/blocks.ts';
import { findFreezerRange } from '#core/blocks/freezer/range.ts';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { unprovenOf } from '#core/chains/provable.ts';
import { addDays } from '#core/figures/calendar.ts';
import { saveFinality } from '#core/store/chain/finality-state.ts';
import { getFinalDay, queryDays } from '#core/store/days/days.ts';
import { chainStore } from '#core/store/table/table.ts';
import { bytesOf } from '#test/support/generators/blocks/block-bytes.ts';
import { answerFrom, refAt } from '#test/support/generators/chains/sample-chain.ts';
import { ERA_DAYS, eraScene } from '#test/support/generators/files/era-scene.ts';
import { freezerFiles } from '#test/support/generators/files/freezer-files.ts';
import { freezerOf, removeIndexes, writeFreezer } from '#test/support/generators/files/freezer-scene.ts';
import { randomFrom } from '#test/support/generators/random/random.ts';
import { randomChain } from '#test/support/generators/random/random-chain.ts';
import { type NodeAnswer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { backfillDays } from '#test/support/processes/file-run.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';
import { useTable } from '#test/support/tables/table.ts';

/* Freezers of each client, from their bytes to final days. */

describe.each(['bsc', 'polygon', 'op-stack', 'arbitrum'] as const)('a freezer of %s', (family) => {
  const table = useTable();

  test('is proven and published with exact figures', async () => {
    const firstDay = '2026-01-01';
    const { chain, blocks, expected } = await randomChain(family, randomFrom(7), { firstDay, days: 6 });
    const provable = blocks.filter(
      ({ header }) => unprovenOf(chain.rules, Number(header.number)) === undefined,
    );
    const first = Number(provable[0]?.header.number);
    const folder = freezerOf(chain, provable, { first, maxBytes: 3_000 });
    const files = openFreezer(folder, chain, await findFreezerRange(folder, chain));
    const told = answerFrom(blocks, { chainId: chain.id });
    // Arbitrum has no constraints on the prices of gas.
    const answer: NodeAnswer = (call) =>
      call.method === 'eth_call' ? { result: `0x${'20'.padStart(64, '0')}${'0'.repeat(64)}` } : told(call);
    const store = chainStore(table(), chain);
    const run = { chain, store, files, answers: [answer, answer], from: firstDay } as const;
    const newestFirst = [...expected.keys()].toSorted().toReversed();
    // BSC proves its newest final block, which is in the running day: earlier days link to it by parent hashes.
    const head = refAt(blocks, blocks.length - 1);
    const state = { kind: 'fast finality', block: head, votes: { source: head, target: head } } as const;
    if (family === 'bsc')
      await saveFinality(store, { sequence: 0 }, head.hash, { ...state, seenAt: 0, sets: [] });
    const finality = family === 'bsc' ? 'proven' : 'reported';
    await backfillDays({ ...run, finality }, [addDays(newestFirst[0] ?? '', 1), ...newestFirst]);
    const days = await queryDays(store, firstDay, '9999-12-31');
    const whole = [...expected].filter(([, { first: block, last }]) => (block ?? last).number > first);
    expect(whole.length).toBeGreaterThan(1);
    const [proven] = family === 'bsc' ? days : [];
    if (proven)
      expect(await getFinalDay(store, proven.day)).toMatchObject({ finality: { kind: 'fast finality' } });
    for (const [day, { blocks: count, transactions, protocolTransactions, fees }] of whole) {
      const found = days.find((one) => one.day === day);
      expect([day, found?.totals]).toMatchObject([
        day,
        { blocks: count, transactions, protocolTransactions, fees },
      ]);
    }
  });
});

describe('backfill start --from files', () => {
  const { table, cli } = useAnnouncedTable(ERA_DAYS[0] ?? '');
  const scene = eraScene();
  const chain = chainOf('ETHEREUM');
  const files = () =>
    freezerFiles(
      scene.blocks.map((block) => bytesOf(chain, block)),
      { form: 'geth', maxBytes: 50_000 },
    );
  const stored = async (name: ChainName) =>
    (await queryDays(chainStore(table(), name), ERA_DAYS[0] ?? '', '9999-12-31')).map(({ day, totals }) => [
      day,
      totals,
    ]);

  test.each(['with indexes', 'without'])(
    'publishes the days of a freezer of real blocks, %s',
    async (how) => {
      const folder = writeFreezer(files());
      if (how === 'without') removeIndexes(folder);
      await using a = await startJsonRpcServer(answerFrom(scene.blocks));
      await using b = await startJsonRpcServer(answerFrom(scene.blocks));
      const words = [
        'backfill',
        'start',
        '--chain',
        'ETHEREUM',
        '--from',
        'files',
        '--local',
        '--url',
        folder,
      ];
      const { code, stdout, stderr } = await cli(words, { ETHEREUM: [a.url, b.url] });
      expect(stderr).not.toContain('Error');
      expect(stdout).toMatch(/^ETHEREUM: 5 days became final: .* \(15 blocks in /);
      expect(code).toBe(0);
      expect(await stored('ETHEREUM')).toEqual(
        [0, 1, 2, 3].map((day) => [
          addDays(ERA_DAYS[0] ?? '', day),
          scene.totalsOf(3 * day + 1, 3 * day + 3),
        ]),
      );
    },
  );
});
