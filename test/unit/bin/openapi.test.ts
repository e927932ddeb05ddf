import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '#test/support/folders.ts';

test('the repository has the current output of npm run openapi', () => {
  const folder = createFolder();
  execFileSync(process.execPath, ['bin/openapi.ts', folder]);
  for (const file of ['docs/openapi.json', 'clients/typescript/src/api.ts']) {
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(join(folder, file), 'utf8'));
  }
});
