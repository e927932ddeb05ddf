import { entriesOf } from '#test/support/generators/era-layout.ts';
import { flip, SMALL_FILES, smallFiles, sumOf } from '#test/support/generators/flipped-era-file.ts';

/** `flipped-bytes.slow.test.ts` changes every byte. */
const STRIDE = 11;

describe.each(SMALL_FILES)('%s', (kind) => {
  test('is accepted as it is', async () => {
    expect((await sumOf(smallFiles()[kind])).problem).toBeUndefined();
  });

  test('is refused with a changed byte, or has the same figures', async () => {
    const file = smallFiles()[kind];
    for (let at = 0; at < file.bytes.length; at += STRIDE) {
      // Throws if the file is accepted and has other figures.
      await flip(file, at, 1 << (at % 8));
    }
  });

  test('is refused with any byte of its index changed', async () => {
    const file = smallFiles()[kind];
    const { length } = file.bytes;
    const index = entriesOf(file.bytes).at(-1)?.length ?? 0;
    for (let at = length - index; at < length; at++) expect(await flip(file, at, 0xff)).toBe('refused');
  });
});
