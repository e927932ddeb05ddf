import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

test('prints its usage without a folder', () => {
  const { status, stderr } = spawnSync(process.execPath, ['bin/build-site.ts'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'No folder to write into. Run: node bin/build-site.ts <folder>\n',
  });
});

test('writes the whole site to a folder relative to the current one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chain-insights-'));
  spawnSync(process.execPath, ['bin/build-site.ts', relative('.', folder)]);
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const assets = readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`);
  for (const [, asset] of html.matchAll(/"(assets\/[^"]*)"/g)) expect(assets).toContain(asset);
  rmSync(folder, { recursive: true });
});
