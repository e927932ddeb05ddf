import { globSync, readFileSync } from 'node:fs';

/*
 * Nobody reads 45,000 words. Counted is prose: words and cells outside of code blocks, without the decision records, and without the page
 * and the tables that "npm run generate" writes, because they grow with each chain.
 */

const pages = globSync('docs/{.,operate,develop}/*.md').filter((file) => file !== 'docs/chains.md');
const counts = Object.fromEntries(
  [...pages, 'README.md', 'CONTRIBUTING.md'].map((file) => {
    const prose = readFileSync(file, 'utf8')
      .replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
      .replaceAll(/(?<=written by "npm run generate" -->\n\n)(\|.*\n)+/g, '')
      .replaceAll('|', ' ');
    return [file, prose.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0];
  }),
);

const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0);

test('the docs have at most 27,000 words', () => {
  expect(sum(Object.values(counts))).toBeLessThanOrEqual(27_000);
});

test('a caller reads at most 7,000 words', () => {
  const read = ['README.md', 'docs/api.md', 'docs/definitions.md'].map((file) => counts[file] ?? Infinity);
  expect(sum(read)).toBeLessThanOrEqual(7_000);
});

test.each(Object.entries(counts))('%s is not too long to read: %i words', (file, words) => {
  expect(words).toBeLessThanOrEqual(file === 'docs/operate/runbook.md' ? 4_000 : 3_200);
});
