import { RLP } from '@ethereumjs/rlp';
import { toHex } from '#core/proof/encoding/hex.ts';
import { type Field, quantity, RlpWriter, writeEach, writeList } from '#core/proof/encoding/rlp.ts';

const written = (write: (writer: RlpWriter) => void): string => {
  const writer = new RlpWriter();
  write(writer);
  return toHex(writer.since(0));
};

test.each([
  '0x0',
  '0x00',
  '0x1',
  '0x7f',
  '0x80',
  '0x123',
  '0x0123',
  '0xAbCd',
  `0x0${'f'.repeat(63)}`,
  `0x${'f'.repeat(64)}`,
])('writes the quantity %s as another library does', (hex) => {
  expect(written((writer) => writer.quantity(hex, 'value'))).toBe(toHex(RLP.encode(BigInt(hex))));
});

// A byte below 0x80 is its own header, the length is in one byte up to 55, and in one or more after it from 56 on.
test.each([
  [0, 0],
  [1, 0],
  [1, 0x7f],
  [1, 0x80],
  [2, 0],
  [55, 1],
  [56, 1],
  [255, 1],
  [256, 1],
  [65_536, 1],
])('writes %i bytes of %i as another library does, alone and in a list', (length, fill) => {
  const bytes = new Uint8Array(length).fill(fill);
  expect(written((writer) => writer.data(toHex(bytes), 'input'))).toBe(toHex(RLP.encode(bytes)));
  expect(written((writer) => writer.bytes(bytes))).toBe(toHex(RLP.encode(bytes)));
  const list = written((writer) => {
    writer.bytes(bytes);
    writer.list(0);
  });
  expect(list).toBe(toHex(RLP.encode([bytes])));
});

test('turns what is written since a mark into a string or a list', () => {
  const nested = written((writer) => {
    writer.bytes(Uint8Array.of(9));
    const mark = writer.size();
    writer.rawBytes(Uint8Array.of(1, 2));
    writer.string(mark);
    writer.list(mark);
    writer.list(0);
  });
  expect(nested).toBe(toHex(RLP.encode([[Uint8Array.of(1, 2)], Uint8Array.of(9)])));
});

test('keeps what was written before a mark when the rest is removed', () => {
  const left = written((writer) => {
    writer.rawBytes(Uint8Array.of(1, 2));
    const mark = writer.size();
    writer.rawBytes(Uint8Array.of(3, 4, 5));
    writer.truncate(mark);
    writer.rawByte(6);
  });
  expect(left).toBe('0x060102');
});

test('writes the members of each source in their order, and removes what was written before', () => {
  const writer = new RlpWriter();
  writer.rawByte(7);
  const fields: readonly Field[] = [quantity('a'), quantity('b'), quantity('c')];
  const sources = [
    { a: '0x1', b: '0x2', c: '0x3' },
    { a: '0x400', b: '0x5', c: '0x6' },
  ];
  const lists = writeEach(writer, 'items', sources, (source) => writeList(writer, fields, source));
  expect(lists.map(toHex)).toEqual(
    sources.map(({ a, b, c }) => toHex(RLP.encode([BigInt(a), BigInt(b), BigInt(c)]))),
  );
});

test('keeps what is written when its buffer grows, whatever fills it up', () => {
  const full = 1 << 18;
  const writes: readonly ((writer: RlpWriter) => void)[] = [
    (writer) => writer.quantity('0x0', 'value'),
    (writer) => writer.quantity('0x1234', 'value'),
    (writer) => writer.bytes(Uint8Array.of(0x12, 0x34)),
    (writer) => writer.data('0x1234', 'value'),
    (writer) => writer.empty(),
  ];
  for (const write of writes) {
    for (const fill of [full, full - 1, full - 2]) {
      const before = `0x${'ab'.repeat(fill)}`;
      const grown = written((writer) => {
        writer.rawData(before, 'data');
        write(writer);
      });
      expect(grown === `${written(write)}${before.slice(2)}`).toBe(true);
    }
  }
});

test.each([
  '',
  '0x',
  '1',
  '1x1',
  '0xg',
  '0x1g',
  '0xg1',
  '0x-1',
  '0x1 ',
  '0x1é',
  `0x1${'0'.repeat(64)}`,
  `0x${'0'.repeat(64)}1`,
])('refuses %j as a quantity', (hex) => {
  expect(() => written((writer) => writer.quantity(hex, 'value'))).toThrow(
    expect.objectContaining({ field: 'value' }),
  );
});

test.each(['', '1', '0x1', '0xgg', '0xabé0', '0xab\u{1f600}'])('refuses %j as bytes', (hex) => {
  expect(() => written((writer) => writer.data(hex, 'input'))).toThrow(
    expect.objectContaining({ field: 'input' }),
  );
});

test('refuses absent values and wrong lengths, naming the field', () => {
  expect(() => written((writer) => writer.data(undefined, 'input'))).toThrow('the node left it out');
  expect(() => written((writer) => writer.fixed('0xabab', 20, 'to'))).toThrow('0xabab is not 20 bytes');
});
