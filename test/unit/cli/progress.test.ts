import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { endOnInterrupt } from '#cli/exit-codes.ts';
import { startProgressBar } from '#cli/progress.ts';

function start({ isTTY }: { isTTY: boolean }) {
  jest.useFakeTimers();
  const stream = Object.assign(new PassThrough(), {
    isTTY,
    columns: 120,
    cursorTo: () => {},
    clearLine: () => {},
  });
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const progress = startProgressBar('blocks', 1, stream as unknown as NodeJS.WriteStream);
  const after = async (seconds: number) => {
    await jest.advanceTimersByTimeAsync(seconds * 1_000);
    return stripVTControlCharacters(text);
  };
  return { progress, after };
}

afterEach(() => {
  jest.useRealTimers();
});

test('shows nothing for work shorter than two seconds', async () => {
  const { progress, after } = start({ isTTY: false });
  progress.add(10, 0.5);
  expect(await after(1.8)).toBe('');
  progress.end();
  expect(await after(60)).toBe('');
});

test('prints a line every ten seconds without a terminal, and one of 100% once the work is done', async () => {
  const { progress, after } = start({ isTTY: false });
  progress.add(0, 0);
  expect(await after(3)).toBe('0%, 0 blocks\n');
  progress.add(1_000, 0.1, '1 of 10 days');
  const lines = (await after(30)).trim().split('\n');
  expect(lines).toHaveLength(4);
  expect(lines.at(-1)).toMatch(/^10%, 1,000 blocks, \d+s left, 1 of 10 days$/);
  progress.add(9_000, 1);
  progress.end();
  expect((await after(30)).split('\n').slice(4)).toEqual(['100%, 10,000 blocks', '']);
});

test('estimates the time left from the work since it started, not from work done before', async () => {
  const { progress, after } = start({ isTTY: false });
  progress.add(1_000, 0.8);
  await after(2);
  await after(10);
  progress.add(2, 0.9);
  expect(await after(10)).toMatch(/\n90%, 1,002 blocks, 10s left\n$/);
  progress.end();
});

test('draws a bar on a terminal', async () => {
  const { progress, after } = start({ isTTY: true });
  progress.add(0, 0);
  await after(3);
  progress.add(100, 0.5);
  expect(await after(2)).toMatch(/█{12}░{12} 50%, 100 blocks, \d+s left/);
  progress.end();
});

test('a bar ends with Ctrl-C, before other lines are printed', async () => {
  const { progress, after } = start({ isTTY: true });
  await after(3);
  const listened = process.listeners('SIGINT');
  endOnInterrupt();
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  process.emit('SIGINT');
  expect(write).toHaveBeenCalledTimes(1);
  write.mockRestore();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    for (const listener of process.listeners(signal))
      if (!listened.includes(listener)) process.off(signal, listener);
  const ended = await after(0);
  progress.add(100, 0.5);
  expect(await after(10)).toBe(ended);
});
