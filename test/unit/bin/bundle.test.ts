import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createFolder } from '#test/support/folders.ts';
import { runNode } from '#test/support/processes/run-node.ts';

test.each([[[]], [['pages']], [['toString', 'folder']]])('with %j, prints its usage', (parameters) => {
  const { status, stderr } = runNode(['bin/bundle.ts', ...parameters]);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Cannot bundle \w+\. Run: node bin\/bundle\.ts <export\|.*> <folder>\n$/);
});

test('writes the pages and their function to a folder relative to the current one', () => {
  const folder = createFolder();
  expect(runNode(['bin/bundle.ts', 'pages', relative('.', folder)])).toMatchObject({ status: 0, stderr: '' });
  expect(readdirSync(folder)).toEqual(['index.js', 'site']);
  const html = readFileSync(join(folder, 'site/index.html'), 'utf8');
  const assets = readdirSync(join(folder, 'site/assets')).map((name) => `assets/${name}`);
  for (const [, asset] of html.matchAll(/"(assets\/[^"]*)"/g)) expect(assets).toContain(asset);
});
