import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

test('the repository has the current output of npm run openapi', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chain-insights-'));
  try {
    execFileSync(process.execPath, ['bin/openapi.ts', folder]);
    for (const file of ['docs/openapi.json', 'clients/typescript/src/api.ts']) {
      expect(readFileSync(file, 'utf8')).toBe(readFileSync(join(folder, file), 'utf8'));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
