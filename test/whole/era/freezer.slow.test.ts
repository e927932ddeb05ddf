import { chainOf } from '#core/chains/chains.ts';
import { bytesOf } from '#test/support/generators/blocks/block-bytes.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { ERA_DAYS, eraDaysIn, eraScene } from '#test/support/generators/files/era-scene.ts';
import { freezerFiles } from '#test/support/generators/files/freezer-files.ts';
import { removeIndexes, writeFreezer } from '#test/support/generators/files/freezer-scene.ts';
import { startTwoNodes } from '#test/support/nodes/several-nodes.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';

/* Freezers of each client, from their bytes to final days. */

const { store, cli } = useAnnouncedTable(ERA_DAYS[0] ?? '');
const scene = eraScene();

test('backfill start --from files publishes the days of a freezer of real blocks without indexes', async () => {
  const bytes = scene.blocks.map((block) => bytesOf(chainOf('ETHEREUM'), block));
  const folder = writeFreezer(freezerFiles(bytes, { form: 'geth', maxBytes: 50_000 }));
  removeIndexes(folder);
  await using nodes = await startTwoNodes(answerFrom(scene.blocks));
  const words = ['backfill', 'start', '--chain', 'ETHEREUM', '--from', 'files', '--local', '--url', folder];
  const { code, stdout, stderr } = await cli(words, { ETHEREUM: nodes.urls });
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(/^ETHEREUM: 5 days became final: .* \(15 blocks in /);
  expect(code).toBe(0);
  expect(await eraDaysIn(store())).toEqual([0, 1, 2, 3].map(scene.dayAt));
});
