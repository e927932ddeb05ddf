import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

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
  return targets
    .map(([, target = '']) => target)
    .filter((target) => !/^(https?|mailto):/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : normalize(join(dirname(page), path));
      return !existsSync(file) || (anchor !== undefined && !anchorsIn(file).includes(anchor));
    });
}

test.each(pages)('every relative link of %s leads to a file and a heading', (page) => {
  expect(brokenLinks(page)).toEqual([]);
});

test('every docs page that messages and comments name has the heading', () => {
  const sources = globSync('{bin,cli,lambda,lib,local,openapi,web}/**/*.ts');
  const named = sources.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/docs\/([\w/-]+\.md)(?:#([\w-]+))?/g),
  ]);
  const broken = named.filter(([, page = '', anchor]) => {
    const file = join('docs', page);
    return !existsSync(file) || (anchor !== undefined && !anchorsIn(file).includes(anchor));
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

test.each(pages)('every source file that %s names exists', (page) => {
  const named = readFileSync(page, 'utf8').matchAll(
    /`((?:\.ci|bench|bin|cli|lambda|lib|local|openapi|test|web)\/[\w./-]*)`/g,
  );
  expect([...named].map(([, file = '']) => file).filter((file) => !existsSync(file))).toEqual([]);
});
