import { spawnSync } from 'node:child_process';
import { chainNames } from '#core/chains/chains.ts';
import { runCli } from '#test/support/processes/cli-process.ts';

/** Returns what bash offers for the last of some words. */
async function complete(...words: string[]): Promise<string[]> {
  const { stdout: script } = await runCli(['completion', 'bash'], {});
  const line = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`;
  const program = `${script}\n${line}; _chain_insights; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', program], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

test('completes commands, subcommands, options and chains', async () => {
  expect(await complete('chain-insights', 're')).toEqual(['restate']);
  expect(await complete('chain-insights', 'backfill', 'st')).toEqual(['start', 'status', 'stop']);
  expect(await complete('chain-insights', 'verify', '--chain', 'BASE', '--sa')).toEqual(['--sample']);
  expect(await complete('chain-insights', 'verify', '--chain', '')).toEqual([...chainNames]);
});

test('the script for zsh is the same after it has loaded the completion of bash', async () => {
  const { stdout } = await runCli(['completion', 'zsh'], {});
  expect(stdout).toMatch(/^autoload -U \+X bashcompinit && bashcompinit\n/);
});
