import { inMemory } from '#bench/ingest/node/era-files.ts';
import { eraStatusOf, showEraStatus } from '#cli/backfill/era-status.ts';
import { chainOf } from '#core/chains/chains.ts';
import { systemClock } from '#core/clock.ts';
import { parseFileName } from '#core/era/file-name.ts';
import { sumEraFile } from '#core/era/sum-file.ts';
import { loadKeccak } from '#core/proof/encoding/keccak.ts';
import { saveEraSums } from '#core/store/era-sums.ts';
import { chainStore } from '#core/store/table.ts';
import { eraScene, FILE_NAMES } from '#test/support/generators/era-scene.ts';
import { useTable } from '#test/support/tables/table.ts';

const table = useTable();

test('shows the files, blocks, days, speed and cost of all backfills from files', async () => {
  await loadKeccak();
  const { files } = eraScene();
  const chain = chainOf('ETHEREUM');
  const store = chainStore(table(), 'ETHEREUM');
  for (const [index, file] of FILE_NAMES.entries()) {
    const name = parseFileName(file);
    if (!name) throw new Error('the name is not valid');
    const bytes = index === 3 ? Buffer.alloc(0) : (files.get(file) ?? Buffer.alloc(0));
    const sums = await sumEraFile({
      chain,
      name,
      file: inMemory(bytes),
      host: 'mirror.example',
      clock: systemClock,
    });
    await saveEraSums(store, { sequence: 0 }, { ...sums, seconds: 900, confirmedBy: ['a.example'] });
  }
  const service = {
    title: 'test',
    flags: '',
    table: table(),
    chains: [{ name: 'ETHEREUM' as const, chain, store, createUpstreams: async () => [] }],
  };
  const status = await eraStatusOf(service, 0.08);
  // Genesis and the three days that the first three files complete.
  expect(status).toEqual({
    proven: 3,
    refused: 1,
    blocks: 12,
    blocks_per_second: 12 / 3_600,
    days: 4,
    function_hours: 1,
    cost: 0.08,
  });
  expect(showEraStatus(status)).toMatch(
    /^Era files: 3 proven, 1 refused\. 12 blocks, .* 4 days complete\. 1\.00 hours of work so far, cost 0\.08\.$/,
  );
});
