import { globSync, readFileSync } from 'node:fs';
import { bannedCommentStarts, bannedWords } from '#test/docs/banned-words.ts';
import { allFolders } from '#test/support/source-folders.ts';

/** Files whose text people read. Fixtures are other people's text. */
const files = globSync(
  ['*.md', '{.ci,.github}/**/*', `{${allFolders}}/**/*.{ts,tsx,js,mjs,html,css,md,sh,py,gs,json,svg}`],
  { exclude: (path) => /(^|\/)(dist|fixtures|node_modules|banned-words\.ts)$/.test(path) },
).filter((file) => /\.\w+$|\/run$/.test(file));

/** Between two words: white space, and the marks that begin a line of a comment or a string. */
const GAP = '(?:\\s+(?:[*#/>|]+\\s+)?)';
const rules = [
  ...Object.entries(bannedWords).map(([words, replacement]) => ({
    pattern: new RegExp(`(?<![\\w$-])(?:${words.replaceAll(' ', GAP)})(?![\\w$-])`, 'gi'),
    replacement,
  })),
  {
    pattern: new RegExp(
      `(?<=/\\*\\*?[\\s*]+)(?:${bannedCommentStarts.join('|').replaceAll(' ', GAP)})\\b`,
      'g',
    ),
    replacement: 'a verb ("Reads …") or a noun phrase ("A header …") at the start of the comment',
  },
];

/** Each banned word in a text, as `file:line "word": use replacement`. */
function findingsIn(file: string, text: string): string[] {
  return rules.flatMap(({ pattern, replacement }) =>
    [...text.matchAll(pattern)].map(({ 0: word, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${file}:${line} "${word.replaceAll(/\s+/g, ' ')}": use ${replacement}`;
    }),
  );
}

const folders = Map.groupBy(files, (file) => (file.includes('/') ? (file.split('/')[0] ?? '') : '.'));

test.each([...folders.keys()])('%s has no banned word', (folder) => {
  const findings = folders.get(folder)?.flatMap((file) => findingsIn(file, readFileSync(file, 'utf8')));
  expect(findings).toEqual([]);
});
