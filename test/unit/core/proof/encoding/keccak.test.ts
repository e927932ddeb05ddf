import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { hashTogether } from '#core/proof/encoding/keccak.ts';

const hashes = (messages: readonly Uint8Array[]): string =>
  Buffer.from(
    hashTogether((add) => {
      for (const message of messages) add(message);
    }),
  ).toString('hex');

/** The same, one by one and by a library. */
const expected = (messages: readonly Uint8Array[]): string =>
  messages.map((message) => Buffer.from(keccak_256(message)).toString('hex')).join('');

const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => (31 * index) % 251);

test('hashes messages of any number and length as a library does, in their order', () => {
  const message = fc.uint8Array({ maxLength: 700, size: 'max' });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
      expect(hashes(messages)).toBe(expected(messages));
    }),
  );
});

test('pads messages of any length around whole blocks of 136 bytes', () => {
  const messages = [0, 1, 134, 135, 136, 137, 270, 271, 272, 273].map(bytes);
  expect(hashes(messages)).toBe(expected(messages));
  for (const message of messages) expect(hashes([message])).toBe(expected([message]));
});

test('hashes parts of bytes, short and long ones', () => {
  const source = bytes(300);
  const ends = [0, 1, 20, 52, 64, 65, 200, 300];
  const parts = ends.slice(1).map((end, index) => [ends[index] ?? 0, end] as const);
  const together = hashTogether((add) => {
    for (const [from, to] of [...parts, [7, 150] as const]) add(source, from, to);
  });
  const slices = [...parts, [7, 150] as const].map(([from, to]) => source.slice(from, to));
  expect(Buffer.from(together).toString('hex')).toBe(expected(slices));
});

test('hashes more messages than its memory holds, and messages longer than it', () => {
  const messages = [
    bytes(10),
    bytes(2 ** 20 - 1),
    bytes(2 ** 20),
    // Whole blocks that fill the memory exactly, so the padding comes alone.
    bytes(7_710 * 136),
    ...Array(9_000).fill(bytes(5)),
    bytes(3_000_000),
    bytes(7),
  ];
  expect(hashes(messages)).toBe(expected(messages));
});

test('leaves out the messages of a call that failed', () => {
  const failing = () =>
    hashTogether((add) => {
      add(bytes(1));
      throw new Error('stopped');
    });
  expect(failing).toThrow('stopped');
  expect(hashes([bytes(2)])).toBe(expected([bytes(2)]));
});
