import { commandLine } from '../../cli/command-line.ts';

test('words that a shell would take apart are quoted, and others are not', () => {
  expect(commandLine('', 'ingest', '--chain', 'BASE')).toBe('npx chain-insights ingest --chain BASE');
  expect(commandLine(' --stage prod', 'restate', '--reason', 'a node lied')).toBe(
    "npx chain-insights restate --reason 'a node lied' --stage prod",
  );
  expect(commandLine('', 'import', "it's $HOME.csv", '')).toBe(
    "npx chain-insights import 'it'\\''s $HOME.csv' ''",
  );
});
