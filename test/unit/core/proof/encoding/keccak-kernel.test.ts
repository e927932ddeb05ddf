import { createKernel, FREE, HASH, RATE } from '#core/proof/encoding/keccak-kernel.ts';

/*
 * Proves that each half of the kernel permutes a state of its own, with the values that the authors of Keccak publish for an empty state:
 * https://github.com/XKCP/XKCP/blob/master/tests/TestVectors/KeccakF-1600-IntermediateValues.txt. keccak.test.ts hashes messages with it.
 */

const littleEndian = (...words: readonly bigint[]): string =>
  Buffer.from(BigUint64Array.from(words).buffer).toString('hex');
const ONCE = littleEndian(0xf1258f7940e1dde7n, 0x84d5ccf933c0478an, 0xd598261ea65aa9een, 0xbd1547306f80494dn);
const TWICE = littleEndian(
  0x2d5c954df96ecb3cn,
  0x6a332cd07057b56dn,
  0x093d8d1270d76b6cn,
  0x8a20d9b25569d094n,
);

const [EMPTY, KEEP] = [0, -1];
const [TO_A, TO_B] = [FREE, FREE + HASH];
const ZEROS = FREE + 2 * HASH;

function start() {
  const { memory, absorb } = createKernel(1);
  const hashAt = (at: number) => Buffer.from(memory.buffer, at, HASH).toString('hex');
  const step = (keepA: number, keepB: number) => {
    absorb(ZEROS, ZEROS, keepA, keepB, TO_A, TO_B);
    return [hashAt(TO_A), hashAt(TO_B)];
  };
  return { memory, absorb, hashAt, step };
}

test('permutes an empty state to the published values, once and twice', () => {
  const { step } = start();
  expect(step(EMPTY, EMPTY)).toEqual([ONCE, ONCE]);
  expect(step(KEEP, KEEP)).toEqual([TWICE, TWICE]);
});

test.each([
  ['first', KEEP, EMPTY, [TWICE, ONCE]],
  ['second', EMPTY, KEEP, [ONCE, TWICE]],
])('continues the %s state while the other one begins', (_, keepA, keepB, hashes) => {
  const { step } = start();
  step(EMPTY, EMPTY);
  expect(step(keepA, keepB)).toEqual(hashes);
});

test('absorbs each byte of a block into its own half, and none after it', () => {
  const { memory, absorb, hashAt } = start();
  const bytes = new Uint8Array(memory.buffer);
  const other = ZEROS + RATE + 8;
  const changes = Array.from({ length: RATE + 1 }, (_, index) => {
    bytes[other + index] = 1;
    const changed = [
      [other, ZEROS],
      [ZEROS, other],
    ].map(([a, b]) => {
      absorb(a as number, b as number, EMPTY, EMPTY, TO_A, TO_B);
      return [hashAt(TO_A) !== ONCE, hashAt(TO_B) !== ONCE];
    });
    bytes[other + index] = 0;
    return changed;
  });
  const [first, second, none] = [
    [true, false],
    [false, true],
    [false, false],
  ];
  expect(changes).toEqual([...Array(RATE).fill([first, second]), [none, none]]);
});
