import { readFileSync } from 'node:fs';
import { chainNames, chainOf } from '#core/chains/chains.ts';

/* The lists of chains and coins that are written by hand. */

const or = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const code = (word: string) => `\`${word}\``;
const coins = [...new Set(chainNames.map((name) => chainOf(name).coin))];

// The lists are in the names, so that a failure says in a line what should stand where.
test.each([
  ['docs/api.md', or.format(chainNames.map(code))],
  ['docs/api.md', `must be one of ${chainNames.join(', ')}"`],
  ['docs/api.md', or.format(coins.map(code))],
  ['docs/local.md', `is one of ${chainNames.map(code).join(', ')}.`],
])('%s names them all: %s', (file, list) => {
  // Lines may be broken anywhere, also in a comment.
  const text = readFileSync(file, 'utf8').replace(/\s+(\* )?/g, ' ');
  expect(text.includes(list)).toBe(true);
});
