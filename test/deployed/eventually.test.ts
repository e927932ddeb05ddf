import { eventually } from './eventually.ts';

test('returns the first result, after failures', async () => {
  let calls = 0;
  const work = async () => {
    calls++;
    if (calls < 3) throw new Error(`call ${calls}`);
    return calls;
  };
  expect(await eventually(work, { limitMs: 1_000, pauseMs: 1 })).toBe(3);
});

test('throws the last error at the limit', async () => {
  let calls = 0;
  const work = async () => {
    calls++;
    throw new Error(`call ${calls}`);
  };
  const error = await eventually(work, { limitMs: 20, pauseMs: 5 }).catch((thrown: Error) => thrown);
  expect(error).toEqual(new Error(`call ${calls}`));
  expect(calls).toBeGreaterThan(1);
});
