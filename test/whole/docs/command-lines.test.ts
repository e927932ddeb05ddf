import { globSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { commands, createProgram } from '#cli/main.ts';

/* Each command line of the docs, parsed by the command that it names. Tests of the commands run them. */

const pages = [...globSync('docs/{.,operate,develop}/*.md'), 'README.md'];

/** Lists command lines: in code blocks and in running text, without comments, pipes and redirections. */
const lines = pages.flatMap((file) =>
  [
    ...readFileSync(file, 'utf8')
      .replaceAll('\\\n', ' ')
      .matchAll(/npx --no chain-insights ([^`\n]+)/g),
  ].flatMap(([, text = '']) => {
    const [line = ''] = text.split(/ +[#|>] ?|\)$|…| and |[.;:,)] |[.;:,]$/);
    return line.trim() ? [[file, line.trim()] as const] : [];
  }),
);

/** Splits a line as a shell does, without expanding variables. */
const wordsOf = (line: string) =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');

function leavesOf(command: Command): readonly Command[] {
  return command.commands.length > 0 ? command.commands.flatMap(leavesOf) : [command];
}

test('the docs show many command lines', () => {
  expect(lines.length).toBeGreaterThan(30);
});

test.each(lines)('%s: %s', async (_, line) => {
  const program = await createProgram(wordsOf(line)[0]);
  for (const leaf of leavesOf(program)) leaf.action(() => {}).configureOutput({ writeErr: () => {} });
  // A placeholder, and a chain that the page adds as an example.
  const words = wordsOf(line).map((word) => word.replace(/^<.*>$/, '1').replace('METAL', 'BASE'));
  await expect(program.parseAsync(words, { from: 'user' })).resolves.toBeDefined();
});

test.each([...commands.keys()])(
  'docs/operate/operations.md has a section for %s, to which its help leads',
  async (name) => {
    expect(readFileSync('docs/operate/operations.md', 'utf8')).toContain(`\n## ${name}\n`);
  },
);
