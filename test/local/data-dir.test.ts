import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChainName } from '../../lambda/chains/chains.ts';
import { historyIn } from '../../local/data-dir.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'chain-insights-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

const nodesOf = (...names: ChainName[]) => new Map(names.map((name) => [name, ['http://localhost:8545']]));
const realBsc = nodesOf('BSC');
const historyFrom = (firstDay: string) => ({ firstDay, quietDays: 3 });

test('without a folder the development chains have the history that is given', () => {
  expect(historyIn(undefined, realBsc, historyFrom('2026-11-14'))).toEqual(historyFrom('2026-11-14'));
});

test('a folder keeps the history of its first start', () => {
  expect(historyIn(dataDir, realBsc, historyFrom('2026-11-14'))).toEqual(historyFrom('2026-11-14'));
  expect(historyIn(dataDir, realBsc, historyFrom('2026-11-20'))).toEqual(historyFrom('2026-11-14'));
});

test('days of a development chain are not mixed with those of real nodes', () => {
  historyIn(dataDir, realBsc, historyFrom('2026-11-14'));
  expect(() => historyIn(dataDir, nodesOf('BSC', 'BASE'), historyFrom('2026-11-14'))).toThrow(
    'DATA_DIR holds days of BASE from its development chain. Unset RPC_URLS_BASE, or use another folder.',
  );
  expect(() => historyIn(dataDir, nodesOf(), historyFrom('2026-11-14'))).toThrow(
    'DATA_DIR holds days of BSC from real nodes. Set RPC_URLS_BSC, or use another folder.',
  );
});

test('a folder from a version with other development chains is refused', () => {
  const old = mkdtempSync(join(tmpdir(), 'chain-insights-'));
  const kept = { history: historyFrom('2026-11-14'), development: [] };
  writeFileSync(join(old, 'development-chains.json'), JSON.stringify(kept));
  expect(() => historyIn(old, realBsc, historyFrom('2026-11-14'))).toThrow(
    'DATA_DIR holds days of development chains of another version: use another folder.',
  );
  rmSync(old, { recursive: true });
});
