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
  const message = fc.uint8Array({ maxLength: 700 });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
      expect(hashes(messages)).toBe(expected(messages));
    }),
  );
});

test('hashes more messages than its memory holds, and messages longer than it', () => {
  const messages = [
    bytes(10),
    bytes(2 ** 20 - 1),
    bytes(2 ** 20),
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
