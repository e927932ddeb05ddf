import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SOFTWARE_VERSION } from '#core/software-version.ts';
import { bundleFile } from '#lib/bundle.ts';
import { startEmbeddedTable } from '#local/embedded-table.ts';
import { saveRelease } from './release.ts';
import { writeRows } from './write-rows.ts';

/* `node test/support/release/cut.ts` keeps this version as the last release, for last-release.test.ts. */

const folder = mkdtempSync(join(tmpdir(), 'release-'));
const table = await startEmbeddedTable();
try {
  await writeRows(table);
  const pages = table.queryPages({
    KeyConditionExpression: 'chain = :chain',
    ExpressionAttributeValues: { ':chain': 'ETHEREUM' },
  });
  bundleFile('test/support/release/read-rows.ts', folder);
  const code = readFileSync(join(folder, 'index.js'), 'utf8');
  saveRelease({ version: SOFTWARE_VERSION, rows: (await Array.fromAsync(pages)).flat(), code });
} finally {
  await table.close();
  rmSync(folder, { recursive: true });
}
