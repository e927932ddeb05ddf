import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pagePaths } from '../../lambda/pages/paths.ts';
import { readSite } from '../../lambda/pages/site.ts';
import { buildSite } from '../../web/build.ts';

const folder = mkdtempSync(join(tmpdir(), 'chain-insights-'));
beforeAll(() => buildSite(folder));
afterAll(() => rmSync(folder, { recursive: true }));

const pages = ['index.html', 'docs.html'];
const htmlOf = (page: string) => readFileSync(join(folder, page), 'utf8');

/** What a page loads or leads to. */
const linksOf = (html: string) => [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link = '']) => link);

test('there is a file for each path that is served', () => {
  const paths = [...readSite(folder).keys()];
  for (const path of pagePaths.filter((known) => !known.includes('{'))) expect(paths).toContain(path);
});

test.each(pages)('all that %s asks for is there, under a name with a hash and below the page', (page) => {
  const assets = readdirSync(join(folder, 'assets'));
  const links = linksOf(htmlOf(page));
  expect(links.length).toBeGreaterThan(4);
  for (const link of links) {
    expect(link).toMatch(/^(\.\/|docs|assets\/[\w-]+-\w{8}\.(js|css|svg))$/);
    if (link.startsWith('assets/')) expect(assets).toContain(link.slice('assets/'.length));
  }
});

test.each(pages)('%s has no script and no style in it', (page) => {
  expect(htmlOf(page)).not.toMatch(/<style|<script(?![^>]* src=)|\son\w+=|\sstyle=/);
});

test('the document that the reference is made from is that of the API, as it is', () => {
  expect(readFileSync(join(folder, 'openapi.json'))).toEqual(readFileSync('docs/openapi.json'));
});

test('what is copied has a hash of its content in its name', () => {
  const copied = readdirSync(join(folder, 'assets')).filter((name) => /^(icon|swagger-ui)/.test(name));
  expect(copied).toHaveLength(3);
  for (const name of copied) {
    const hash = createHash('sha256')
      .update(readFileSync(join(folder, 'assets', name)))
      .digest('hex');
    expect(name).toContain(`-${hash.slice(0, 8)}.`);
  }
});

test('the same sources give the same names', () => {
  const again = mkdtempSync(join(tmpdir(), 'chain-insights-'));
  buildSite(again);
  expect(readdirSync(again, { recursive: true })).toEqual(readdirSync(folder, { recursive: true }));
  rmSync(again, { recursive: true });
});

test('no answer comes near the 6 MB that a function may give', () => {
  for (const { body } of readSite(folder).values())
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(3e6);
});
