import {
  flip,
  SMALL_FILES,
  type SmallFile,
  smallFiles,
} from '#test/support/generators/files/flipped-era-file.ts';

/** Returns how many changes of a file leave what it says, and throws if one changes that unnoticed. */
async function flipAll(file: SmallFile, stride: number, changes: (at: number) => readonly number[]) {
  const count = { same: 0, refused: 0 };
  for (let at = 0; at < file.bytes.length; at += stride) {
    for (const change of changes(at)) count[await flip(file, at, change)] += 1;
  }
  return count;
}

test.each(SMALL_FILES)(
  'refuses %s with any byte changed, unless it has the same figures',
  async (kind) => {
    const { same, refused } = await flipAll(smallFiles()[kind], 1, (at) => [
      at % 2 === 0 ? 1 << (at % 8) : 0xff,
    ]);
    // Total difficulties, accumulators, and runs of zeros that snappy copies.
    expect(same).toBeLessThan(refused / 15);
  },
  60_000,
);
