import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { allFolders, codeFolders } from '#test/support/source-folders.ts';

const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')];

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const withoutCode = (text: string): string => text.replaceAll(/^ *```.*?^ *```/gms, '');

const anchorsIn = (file: string): readonly string[] =>
  [...withoutCode(readFileSync(file, 'utf8')).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    anchorOf(heading),
  );

/** The links of a page to files of this repository that lead nowhere. */
function brokenLinks(page: string): readonly string[] {
  const targets = [...withoutCode(readFileSync(page, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)];
  return (
    targets
      .map(([, target = '']) => target)
      // `../../actions` leads to the workflows of the repository on GitHub.
      .filter((target) => !/^((https?|mailto):|\.\.\/\.\.\/actions\/workflows\/ci\.yml)/.test(target))
      .filter((target) => {
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? page : normalize(join(dirname(page), path));
        return !existsSync(file) || (anchor !== undefined && !anchorsIn(file).includes(anchor));
      })
  );
}

test.each(pages)('every relative link of %s leads to a file and a heading', (page) => {
  expect(brokenLinks(page)).toEqual([]);
});

test('every docs page that messages and comments name has the heading', () => {
  const sources = globSync(`{${codeFolders}}/**/*.{ts,tsx,js,mjs,py,md}`, {
    exclude: (path) => path.endsWith('node_modules'),
  });
  const named = sources.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/docs\/([\w/-]+\.md)(?:#([\w-]+))?/g),
  ]);
  const broken = named.filter(([, page = '', anchor]) => {
    const file = join('docs', page);
    return !existsSync(file) || (anchor !== undefined && !anchorsIn(file).includes(anchor));
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

/** The names of files in a text: paths from the root, or the ends of paths (`days/read-day.ts`). */
const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`((?:[\w.-]+\/)*[\w-]+\.tsx?|(?:\.\w+|\w+)\/[\w./-]*)`/g)].map(([, name = '']) => name);

const files = globSync(`{.ci,.github,${allFolders}}/**`, {
  exclude: (path) => path.endsWith('node_modules'),
});
const isFile = (name: string): boolean =>
  existsSync(name) || files.some((file) => file.endsWith(`/${name.replace(/\/$/, '')}`));

test.each(pages)('every source file that %s names exists', (page) => {
  const inFolder = new RegExp(`^(\\.ci|${allFolders.replaceAll(',', '|')})/|\\.tsx?$`);
  const names = namesIn(readFileSync(page, 'utf8')).filter((name) => inFolder.test(name));
  expect(names.filter((name) => !isFile(name))).toEqual([]);
});
