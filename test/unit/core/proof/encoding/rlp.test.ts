import { toHex } from '#core/proof/encoding/hex.ts';
import { RlpWriter } from '#core/proof/encoding/rlp.ts';

const written = (write: (writer: RlpWriter) => void): string => {
  const writer = new RlpWriter();
  write(writer);
  return toHex(writer.since(0));
};

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

test.each(['', '0x', '1', '0xg', '0x-1', '0x1 ', '0x1é', `0x1${'0'.repeat(64)}`, `0x${'0'.repeat(64)}1`])(
  'refuses %j as a quantity',
  (hex) => {
    expect(() => written((writer) => writer.quantity(hex, 'value'))).toThrow(
      expect.objectContaining({ field: 'value' }),
    );
  },
);

test.each(['', '1', '0x1', '0xgg', '0xabé0', '0xab\u{1f600}'])('refuses %j as bytes', (hex) => {
  expect(() => written((writer) => writer.data(hex, 'input'))).toThrow(
    expect.objectContaining({ field: 'input' }),
  );
});

test('refuses absent values and wrong lengths, naming the field', () => {
  expect(() => written((writer) => writer.data(undefined, 'input'))).toThrow('the node left it out');
  expect(() => written((writer) => writer.fixed('0xabab', 20, 'to'))).toThrow('0xabab is not 20 bytes');
});
