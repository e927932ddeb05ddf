import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '#test/support/folders.ts';

test('no file is stale that npm run generate writes', () => {
  const folder = createFolder();
  execFileSync(process.execPath, ['bin/generate.ts', folder]);
  const files = [
    'docs/openapi.json',
    'clients/typescript/src/api.ts',
    'docs/chains.md',
    'docs/operate/cost.md',
    'docs/operate/settings.md',
  ];
  const stale = files.filter(
    (file) => readFileSync(file, 'utf8') !== readFileSync(join(folder, file), 'utf8'),
  );
  // The name of the test is the remedy.
  expect(stale).toEqual([]);
});
