import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSite } from '#lambda/pages/site.ts';
import { createFolder } from '#test/support/folders.ts';

const folder = createFolder();
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), '<p>α</p>');
writeFileSync(join(folder, 'docs.html'), '');
writeFileSync(join(folder, 'assets', 'a-1.js'), 'a()');

test.each([folder, `${folder}/`])(
  'maps each file of %s to its path, media type and own entity tag',
  (name) => {
    const site = readSite(name);
    expect([...site.keys()].toSorted()).toEqual(['/', '/assets/a-1.js', '/docs']);
    expect(site.get('/')).toMatchObject({ mediaType: 'text/html', body: '<p>α</p>' });
    expect(site.get('/assets/a-1.js')).toMatchObject({ mediaType: 'text/javascript', body: 'a()' });
    expect(new Set([...site.values()].map(({ etag }) => etag)).size).toBe(3);
  },
);

test('tells the pages where people ask for a key, the chains of the stage, and whether it opens days and frames', () => {
  const names = ['key-url', 'chains', 'embed', 'public-days'];
  writeFileSync(join(folder, 'docs.html'), names.map((name) => `<meta name="${name}" content="">`).join(''));
  const url = 'https://example.com/keys?for=$&';
  expect(
    readSite(folder, { 'key-url': url, chains: 'BSC,BASE', embed: 'yes', 'public-days': 'yes' }).get('/docs')
      ?.body,
  ).toBe(
    `<meta name="key-url" content="${url}"><meta name="chains" content="BSC,BASE"><meta name="embed" content="yes"><meta name="public-days" content="yes">`,
  );
});
