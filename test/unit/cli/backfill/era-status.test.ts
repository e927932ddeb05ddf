import { eraStatusOf, showEraStatus } from '#cli/backfill/era-status.ts';
import { chainOf } from '#core/chains/chains.ts';
import { saveEraSums } from '#core/store/era-sums.ts';
import { chainStore } from '#core/store/table.ts';
import { eraScene, FILE_NAMES } from '#test/support/generators/era-scene.ts';
import { sumOf } from '#test/support/generators/flipped-era-file.ts';
import { useTable } from '#test/support/tables/table.ts';

const table = useTable();

test('shows the files, blocks, days, speed and cost of all backfills from files', async () => {
  const { files } = eraScene();
  const chain = chainOf('ETHEREUM');
  const store = chainStore(table(), 'ETHEREUM');
  for (const [index, name] of FILE_NAMES.entries()) {
    const bytes = index === 3 ? undefined : files.get(name);
    const sums = await sumOf({ name, bytes: bytes ?? Buffer.alloc(0) });
    await saveEraSums(store, { sequence: 0 }, { ...sums, seconds: 900, confirmedBy: ['a.example'] });
  }
  const served = { name: 'ETHEREUM' as const, chain, store, createUpstreams: async () => [] };
  const status = await eraStatusOf(served, 0.08);
  // Genesis and the three days that the first three files complete.
  expect(status).toEqual({
    chain: 'ETHEREUM',
    proven: 3,
    refused: 1,
    blocks: 12,
    blocks_per_second: 12 / 3_600,
    days: 4,
    function_hours: 1,
    cost: 0.08,
  });
  expect(showEraStatus(status)).toMatch(
    /^ETHEREUM: 3 files proven, 1 refused\. 12 blocks, .* 4 days complete\. 1\.00 hours of work so far, cost 0\.08\.$/,
  );
});
