import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

test('docs has the current output of npm run openapi', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chain-insights-'));
  try {
    execFileSync(process.execPath, ['bin/openapi.ts', folder]);
    for (const file of ['openapi.json', 'clients/chain-insights.ts']) {
      expect(readFileSync(join('docs', file), 'utf8')).toBe(readFileSync(join(folder, file), 'utf8'));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
