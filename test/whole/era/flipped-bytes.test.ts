import { flip, SMALL_FILES, smallFiles, sumOf } from '#test/support/generators/flipped-era-file.ts';

/** `flipped-bytes.slow.test.ts` changes every byte. */
const STRIDE = 11;

describe.each(SMALL_FILES)('%s', (kind) => {
  test('is accepted as it is, and not under the name of another', async () => {
    const file = smallFiles()[kind];
    expect((await sumOf(file)).problem).toBeUndefined();
    const name = file.name.replace(/-[0-9a-f]{8}/, '-01234567');
    expect((await sumOf({ ...file, name })).problem).toContain('its name has 01234567, but its');
  });

  test('is refused with a changed byte, unless it decompresses to the same bytes', async () => {
    const file = smallFiles()[kind];
    for (let at = 0; at < file.bytes.length; at += STRIDE) {
      // Throws if the file is accepted and says something else.
      await flip(file, at, 1 << (at % 8));
    }
  });

  test('is refused with any byte after its last block changed', async () => {
    const file = smallFiles()[kind];
    const { length } = file.bytes;
    // The accumulator, if any, and the index.
    for (let at = length - 80; at < length; at++) expect(await flip(file, at, 0xff)).toBe('refused');
  });
});
