import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChainName } from '../../lambda/chains/chains.ts';
import { firstDayIn } from '../../local/data-dir.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'chain-insights-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

const nodesOf = (...names: ChainName[]) => new Map(names.map((name) => [name, ['http://localhost:8545']]));
const realBsc = nodesOf('BSC');

test('without a folder the development chains begin on the day that is given', () => {
  expect(firstDayIn(undefined, realBsc, '2026-11-14')).toBe('2026-11-14');
});

test('a folder keeps the first day of its first start', () => {
  expect(firstDayIn(dataDir, realBsc, '2026-11-14')).toBe('2026-11-14');
  expect(firstDayIn(dataDir, realBsc, '2026-11-20')).toBe('2026-11-14');
});

test('days of a development chain are not mixed with those of real nodes', () => {
  firstDayIn(dataDir, realBsc, '2026-11-14');
  expect(() => firstDayIn(dataDir, nodesOf('BSC', 'BASE'), '2026-11-14')).toThrow(
    'DATA_DIR holds days of BASE from its development chain. Unset RPC_URLS_BASE, or use another folder.',
  );
  expect(() => firstDayIn(dataDir, nodesOf(), '2026-11-14')).toThrow(
    'DATA_DIR holds days of BSC from real nodes. Set RPC_URLS_BSC, or use another folder.',
  );
});
