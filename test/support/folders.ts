import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, maxRetries: 3 });
});

/** Creates a folder, which is removed after the tests of the file. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chain-insights-'));
  folders.push(folder);
  return folder;
}
