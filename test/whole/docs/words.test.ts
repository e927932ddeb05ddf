import { readdirSync, readFileSync } from 'node:fs';

/* Nobody reads 45,000 words. Counted is prose: words and cells outside of code blocks, without the decision records. */

const pages = readdirSync('docs').filter((name) => name.endsWith('.md'));
const counts = [...pages.map((name) => `docs/${name}`), 'README.md'].map((file) => {
  const prose = readFileSync(file, 'utf8')
    .replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
    .replaceAll('|', ' ');
  return { file, words: prose.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0 };
});

test('the docs have at most 28,000 words', () => {
  expect(counts.reduce((sum, { words }) => sum + words, 0)).toBeLessThanOrEqual(28_000);
});

test.each(counts)('$file is not too long to read: $words words', ({ file, words }) => {
  expect(words).toBeLessThanOrEqual(file === 'docs/runbook.md' ? 4_000 : 3_000);
});
