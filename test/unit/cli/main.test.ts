import type { Command } from 'commander';
import { commands, createProgram, main } from '#cli/main.ts';
import { runCli } from '#test/support/processes/cli-process.ts';

const helpOf = (command: Command) => {
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return help;
};

/** Commands without subcommands. */
const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);

/** All commands, with and without subcommands. */
const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];

const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

test.each([...commands.keys()])(
  'the examples in the help of %s are valid command lines',
  async (commandName) => {
    for (const command of leaves(await createProgram(commandName))) {
      const name = nameOf(command);
      if (name === 'version') continue;
      const [, examples = ''] = helpOf(command).split('\nExamples:\n');
      const unwrapped = examples.replaceAll(/ \\\n +/g, ' ');
      const lines = [...unwrapped.matchAll(/npx --no chain-insights (.+)/g)].map(([, line = '']) => line);
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) {
        expect(line.startsWith(name)).toBe(true);
        const program = await createProgram(commandName);
        const found = leaves(program).find((leaf) => nameOf(leaf) === name);
        found?.action(() => {});
        await program.parseAsync(wordsOf(line), { from: 'user' });
      }
    }
  },
);

/** Splits a command line into words, as a shell does. */
const wordsOf = (line: string): string[] =>
  [...line.replace(/ [<>|].*$/, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );

test('no help is wider than 80 columns', async () => {
  for (const command of all(await createProgram())) {
    const wide = helpOf(command)
      .split('\n')
      .filter((line) => line.length > 80);
    expect([command.name(), wide]).toEqual([command.name(), []]);
  }
});

test.each(['help', 'version'])('answers %s, a word that npx does not take for itself', async (word) => {
  const asWord = await runCli([word], {});
  expect(asWord).toEqual(await runCli([`--${word}`], {}));
  expect([asWord.code, asWord.stdout]).toEqual([0, expect.stringMatching(/\S/)]);
});

test('--help lists every command with a description', async () => {
  const { code, stdout } = await runCli(['--help'], {});
  expect(code).toBe(0);
  for (const name of commands.keys()) {
    expect(stdout).toMatch(new RegExp(`\n  ${name} .*\\w`));
  }
});

test.each([
  [
    ['nonsense'],
    {},
    2,
    "error: unknown command 'nonsense'\nTo see the commands: npx --no chain-insights help\n",
  ],
  [['keys', 'revoke', '--name', 'alice'], { PORT: '1' }, 1, 'No service runs on this machine'],
  [
    ['keys', 'list', '--nonsense'],
    {},
    2,
    "'--nonsense'\nTo see its usage: npx --no chain-insights keys help list\n",
  ],
  [
    'history query --chain ARBITRUM --archive dune --start-date 2021-06-01 --end-date 2021-07-02'.split(' '),
    {},
    2,
    'refuses files with days of ARBITRUM before 2022-09-01: before Nitro (block 22207818)',
  ],
  [['status'], { PORT: '1' }, 1, 'No service runs on this machine'],
  [['coverage', '--chain', 'BASE'], {}, 2, 'Type:\n  npx --no chain-insights status --chain BASE\n'],
  [['settle', '--stage', 'dev'], {}, 2, '\n  npx --no chain-insights restate --settle --stage dev\n'],
  [
    ['restore', 'a', '--merge'],
    {},
    2,
    'restore is now import. Type:\n  npx --no chain-insights import a --merge\n',
  ],
  [['status', '--stage', 'nonsense'], {}, 2, 'Unknown stage nonsense: expected one of dev, prod.'],
])('%j reports what is wrong', async (parameters, environment, exitCode, message) => {
  jest.replaceProperty(process, 'argv', ['node', 'cli.js', ...parameters]);
  jest.replaceProperty(process, 'env', { ...process.env, ...environment });
  const printed = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const noted = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  await main();
  const stderr = noted.mock.calls.join('');
  expect([process.exitCode, printed.mock.calls]).toEqual([exitCode, []]);
  jest.restoreAllMocks();
  expect(stderr).toContain(message);
});

test('names the missing setting when AWS cannot be called', async () => {
  const nothing = { AWS_REGION: '', AWS_CONFIG_FILE: '/dev/null' };
  const { code, stderr } = await runCli(['status', '--stage', 'dev'], nothing);
  expect(code).toBe(1);
  expect(stderr).toContain('Set AWS_REGION');
});
