import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { startProgress } from '../../cli/progress.ts';

/** Progress on a stream, on a clock that moves by hand. */
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
  const progress = startProgress('blocks', { stream: stream as unknown as NodeJS.WriteStream });
  const after = async (seconds: number) => {
    await jest.advanceTimersByTimeAsync(seconds * 1_000);
    return stripVTControlCharacters(text);
  };
  return { progress, after };
}

afterEach(() => {
  jest.useRealTimers();
});

test('short work shows none', async () => {
  const { progress, after } = start({ isTTY: false });
  progress.update(0.5, 10);
  expect(await after(1.8)).toBe('');
  progress.end();
  expect(await after(60)).toBe('');
});

test('where there is no terminal, a line now and then tells share, rate and time left', async () => {
  const { progress, after } = start({ isTTY: false });
  progress.update(0, 0);
  await after(1);
  progress.update(0.1, 100, '1 of 10 days');
  expect(await after(1)).toBe('10 %: 100 blocks, 50 blocks/s, 18 s left, 1 of 10 days\n');
  progress.update(0.2, 200);
  const lines = (await after(30)).trim().split('\n');
  expect(lines).toHaveLength(4);
});

test('what was done before is no part of the rate', async () => {
  const { progress, after } = start({ isTTY: false });
  progress.update(0.8, 1_000);
  await after(1);
  progress.update(0.9, 1_002);
  expect(await after(1)).toContain('90 %: 1,002 blocks, 1 blocks/s, 2 s left');
});

test('the time left of work that goes in leaps is reckoned by a longer part of it', async () => {
  const { progress, after } = start({ isTTY: false });
  progress.update(0, 0);
  for (let leap = 1; leap <= 4; leap++) {
    await after(30);
    progress.update(leap / 10, leap);
  }
  const lines = (await after(20)).trim().split('\n');
  expect(lines.at(-1)).toMatch(/^40 %: 4 blocks, 0 blocks\/s, [234] min /);
  progress.update(0.41, 4);
  expect((await after(60)).trim().split('\n').at(-1)).toContain('time left not known yet');
});

test('nothing is said before anything is done', async () => {
  const { progress, after } = start({ isTTY: false });
  progress.update(0, 0);
  expect(await after(30)).toBe('');
});

test('a terminal shows a bar', async () => {
  const { progress, after } = start({ isTTY: true });
  progress.update(0, 0);
  await after(1);
  progress.update(0.5, 100);
  expect(await after(2)).toMatch(/█{12}░{12} 50 % {2}100 blocks, \d+ blocks\/s/);
  progress.end();
});
