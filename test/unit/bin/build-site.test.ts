import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createFolder } from '#test/support/folders.ts';
import { runNode } from '#test/support/processes/run-node.ts';

test('prints its usage without a folder', () => {
  expect(runNode(['bin/build-site.ts'])).toMatchObject({
    status: 1,
    stderr: 'No folder to write into. Run: node bin/build-site.ts <folder>\n',
  });
});

test('writes the whole site to a folder relative to the current one', () => {
  const folder = createFolder();
  runNode(['bin/build-site.ts', relative('.', folder)]);
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const assets = readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`);
  for (const [, asset] of html.matchAll(/"(assets\/[^"]*)"/g)) expect(assets).toContain(asset);
});
