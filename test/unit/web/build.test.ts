import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { EMBED_PATH, pagePaths } from '#lambda/pages/paths.ts';
import { readSite } from '#lambda/pages/site.ts';
import { createFolder } from '#test/support/folders.ts';
import { buildSite } from '#web/build.ts';

const folder = createFolder();
beforeAll(() => buildSite(folder));

const pages = ['index.html', 'embed.html', 'docs.html', 'missing.html'];
const htmlOf = (page: string) => readFileSync(join(folder, page), 'utf8');

/** Returns the targets of all links and resources of a page. */
const linksOf = (html: string) => [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link = '']) => link);

test('builds a file for each served path', () => {
  const paths = [...readSite(folder).keys()];
  for (const path of [...pagePaths, EMBED_PATH].filter((known) => !known.includes('{')))
    expect(paths).toContain(path);
  for (const name of ['recompute.py', 'chain_insights.py', 'chain-insights-client.mjs'])
    expect(paths).toContain(`/clients/${name}`);
});

test.each(pages)('%s refers only to existing assets with a hash in their name, by relative paths', (page) => {
  const assets = readdirSync(join(folder, 'assets'));
  const links = linksOf(htmlOf(page));
  expect(links.length).toBeGreaterThan(3);
  for (const link of links) {
    expect(link).toMatch(
      /^(\.\/|\.\/\?show=morning|docs|openapi\.json|#\w+|https:\/\/[\w./#-]+|assets\/[\w-]+-\w{8}\.(js|css)|data:image\/svg\+xml;base64,[\w+/=]+)$/,
    );
    if (link.startsWith('assets/')) expect(assets).toContain(link.slice('assets/'.length));
  }
});

test.each(pages)('%s has no inline scripts or styles', (page) => {
  expect(htmlOf(page)).not.toMatch(/<style|<script(?![^>]* src=)|\son\w+=|\sstyle=/);
});

test('the explorer takes less than 150 KB, compressed, with the proof of a block', () => {
  const links = linksOf(htmlOf('index.html')).filter((link) => link.startsWith('assets/'));
  const files = ['index.html', ...links].map((name) => readFileSync(join(folder, name)));
  expect(files.reduce((sum, file) => sum + gzipSync(file).length, 0)).toBeLessThan(150_000);
});

test('copies docs/openapi.json unchanged', () => {
  expect(readFileSync(join(folder, 'openapi.json'))).toEqual(readFileSync('docs/openapi.json'));
});

test('only the local service adds a banner, and a script that takes the key of a link', () => {
  const local = createFolder();
  buildSite(local, ['controls/local-key.ts'], 'Sample.');
  expect(readFileSync(join(local, 'embed.html'), 'utf8')).toMatch(/<aside [^>]*>Sample\.<\/aside>/);
  expect(readFileSync(join(local, 'index.html'), 'utf8')).toMatch(
    /<script src="assets\/local-key-\w{8}\.js">/,
  );
  const deployed = [...readSite(folder).values()].map(({ body }) => body).join('');
  expect(deployed).not.toContain('local-key');
  expect(deployed).not.toContain('location.hash');
});

test('gives equal names to equal sources', () => {
  const again = createFolder();
  buildSite(again);
  expect(readdirSync(again, { recursive: true })).toEqual(readdirSync(folder, { recursive: true }));
});

test('the API reference takes less than 1 MB, with all its assets', () => {
  const files = linksOf(htmlOf('docs.html')).filter((link) => link.startsWith('assets/'));
  const sizes = ['docs.html', ...files].map((file) => readFileSync(join(folder, file)).length);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(1e6);
});

test('keeps every file well below the 6 MB limit of a Lambda response', () => {
  for (const { body } of readSite(folder).values())
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(3e6);
});
