import { spawnSync } from 'node:child_process';
import { MAX_WIDTH, wrapCommand, wrapText } from '#cli/wrap.ts';

const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

test('wraps prose at spaces, indents what continues a line, and leaves short lines and long words as they are', () => {
  const prose = Array.from({ length: 30 }, (_, index) => `word${index}`).join(' ');
  const wrapped = wrapText(`Short:  as it is.\n  ${prose}\n${'x'.repeat(100)}`);
  const lines = wrapped.split('\n');
  expect(lines[0]).toBe('Short:  as it is.');
  expect(lines.at(-1)).toBe('x'.repeat(100));
  const body = lines.slice(1, -1);
  expect(body.map((line) => line.trim()).join(' ')).toBe(prose);
  expect(body.map((line) => line.search(/\S/))).toEqual([2, ...body.slice(1).map(() => 6)]);
  expect(widest(body.join('\n'))).toBeLessThanOrEqual(MAX_WIDTH);
});

test('a wrapped command is one command to a shell', () => {
  const options = '--chain ETHEREUM --date 3-days-ago --reason "verify found other figures" --stage prod';
  const wrapped = wrapCommand(`printf '[%s]' npx --no chain-insights restate ${options}`);
  expect(wrapped).toMatch(/ \\\n {4}--/);
  expect(widest(wrapped)).toBeLessThanOrEqual(MAX_WIDTH);
  const { stdout } = spawnSync('sh', ['-c', wrapped], { encoding: 'utf8' });
  expect(stdout).toMatch(/^\[npx\]\[--no\].*\[--reason\]\[verify found other figures\]\[--stage\]\[prod\]$/);
});
