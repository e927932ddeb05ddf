import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { addDays } from '#core/figures/calendar.ts';
import { queryDays } from '#core/store/days/days.ts';
import { chainStore } from '#core/store/table/table.ts';
import { bytesOf } from '#test/support/generators/blocks/block-bytes.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { ERA_DAYS, eraScene } from '#test/support/generators/files/era-scene.ts';
import { freezerFiles } from '#test/support/generators/files/freezer-files.ts';
import { removeIndexes, writeFreezer } from '#test/support/generators/files/freezer-scene.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';

/* Freezers of each client, from their bytes to final days. */

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

  test('publishes the days of a freezer of real blocks without indexes', async () => {
    const folder = writeFreezer(files());
    removeIndexes(folder);
    await using a = await startJsonRpcServer(answerFrom(scene.blocks));
    await using b = await startJsonRpcServer(answerFrom(scene.blocks));
    const words = ['backfill', 'start', '--chain', 'ETHEREUM', '--from', 'files', '--local', '--url', folder];
    const { code, stdout, stderr } = await cli(words, { ETHEREUM: [a.url, b.url] });
    expect(stderr).not.toContain('Error');
    expect(stdout).toMatch(/^ETHEREUM: 5 days became final: .* \(15 blocks in /);
    expect(code).toBe(0);
    expect(await stored('ETHEREUM')).toEqual(
      [0, 1, 2, 3].map((day) => [addDays(ERA_DAYS[0] ?? '', day), scene.totalsOf(3 * day + 1, 3 * day + 3)]),
    );
  });
});
