import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

test('without a folder it says what to do', () => {
  const { status, stderr } = spawnSync(process.execPath, ['bin/build-site.ts'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'Name the folder to write into: node bin/build-site.ts <folder>\n',
  });
});

test('a folder may be named from where one is, and gets all of the site', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chain-insights-'));
  spawnSync(process.execPath, ['bin/build-site.ts', relative('.', folder)]);
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const assets = readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`);
  for (const [, asked] of html.matchAll(/"(assets\/[^"]*)"/g)) expect(assets).toContain(asked);
  rmSync(folder, { recursive: true });
});
