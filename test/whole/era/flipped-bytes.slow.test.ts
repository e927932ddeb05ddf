import {
  flip,
  SMALL_FILES,
  type SmallFile,
  smallFiles,
} from '#test/support/generators/files/flipped-era-file.ts';

/** Reading a file takes milliseconds, and all bytes minutes. `npm run fuzz` changes others each time. */
const EVERY = 5;

/** Returns how many changes of a file leave what it says, and throws if one changes that unnoticed. */
async function flipMany(file: SmallFile) {
  const count = { same: 0, refused: 0 };
  for (let at = 0; at < file.bytes.length; at += EVERY) {
    count[await flip(file, at, at % 2 === 0 ? 1 << (at % 8) : 0xff)] += 1;
  }
  return count;
}

test.each(SMALL_FILES)(
  'refuses %s with a byte changed, unless it has the same figures',
  async (kind) => {
    const { same, refused } = await flipMany(smallFiles()[kind]);
    // Total difficulties, accumulators, and runs of zeros that snappy copies.
    expect(same).toBeLessThan(refused / 15);
  },
  60_000,
);
