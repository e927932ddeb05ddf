import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChainName, defaultChainNames } from '#core/chains/chains.ts';
import { scheduleIn } from '#local/development-days.ts';
import { createFolder } from '#test/support/folders.ts';

const dataDir = createFolder();

const nodesOf = (...names: ChainName[]) => ({
  chains: defaultChainNames,
  rpcUrls: new Map(names.map((name) => [name, ['http://localhost:8545']])),
});
const realBsc = nodesOf('BSC');
const scheduleFrom = (firstDay: string) => ({ firstDay, quietDays: 3 });

test('refuses to mix days of a development chain with days of real nodes', () => {
  scheduleIn(dataDir, realBsc, scheduleFrom('2026-11-14'));
  expect(() => scheduleIn(dataDir, nodesOf('BSC', 'BASE'), scheduleFrom('2026-11-14'))).toThrow(
    'DATA_DIR holds days of BASE from its development chain. Unset RPC_URLS_BASE, or use another folder.',
  );
  expect(() => scheduleIn(dataDir, nodesOf(), scheduleFrom('2026-11-14'))).toThrow(
    'DATA_DIR holds days of BSC from real nodes. Set RPC_URLS_BSC, or use another folder.',
  );
});

test('refuses a directory from a version with other development chains', () => {
  const old = createFolder();
  const stored = { history: scheduleFrom('2026-11-14'), development: [] };
  writeFileSync(join(old, 'development-chains.json'), JSON.stringify(stored));
  expect(() => scheduleIn(old, realBsc, scheduleFrom('2026-11-14'))).toThrow(
    'DATA_DIR holds days of development chains of another version. Use another folder.',
  );
});
