import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksFileIn, refuseMixedDays, scheduleIn } from '#local/development-days.ts';
import { createFolder } from '#test/support/folders.ts';
import { refreshCoverage } from '#test/support/tables/put-day.ts';
import { useStore } from '#test/support/tables/table.ts';

const { store } = useStore('BSC');
const scheduleFrom = (firstDay: string) => ({ firstDay, quietDays: 3 });

test('refuses to mix days of a development chain with days of real nodes', async () => {
  const dataDir = createFolder();
  for (const isReal of [true, false]) await refuseMixedDays(store(), dataDir, isReal);
  await refreshCoverage(store(), '2026-11-18');
  await refuseMixedDays(store(), dataDir, true);
  await expect(refuseMixedDays(store(), dataDir, false)).rejects.toThrow(
    'DATA_DIR holds days of BSC from real nodes. Set RPC_URLS_BSC, or use another folder.',
  );
  writeFileSync(blocksFileIn(dataDir, 'BSC'), '');
  await refuseMixedDays(store(), dataDir, false);
  await expect(refuseMixedDays(store(), dataDir, true)).rejects.toThrow(
    'DATA_DIR holds days of BSC from its development chain. Unset RPC_URLS_BSC, or use another folder.',
  );
});

test('keeps the schedule of the first start', () => {
  const dataDir = createFolder();
  const first = scheduleIn(dataDir, scheduleFrom('2026-11-14'));
  expect(scheduleIn(dataDir, scheduleFrom('2026-11-15'))).toEqual(first);
});

test('refuses a directory from a version with other development chains', () => {
  const dataDir = createFolder();
  const stored = { version: 1, history: scheduleFrom('2026-11-14') };
  writeFileSync(join(dataDir, 'development-chains.json'), JSON.stringify(stored));
  expect(() => scheduleIn(dataDir, scheduleFrom('2026-11-14'))).toThrow(
    'DATA_DIR holds days of development chains of another version. Use another folder.',
  );
});
