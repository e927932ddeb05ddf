import { chainOf } from '#core/chains/chains.ts';
import { decodeRawHeader, headerHash, proveHeader } from '#core/proof/header.ts';
import { BASE_FIELDS, type RpcHeader } from '#core/proof/json/rpc-types.ts';
import { headerBytes } from '#test/support/generators/blocks/block-bytes.ts';
import { recordedHeaders, recordedHeadersOf } from '#test/support/generators/blocks/recorded-headers.ts';

test.each(recordedHeaders())(
  'recorded headers of $name hash to their hashes, as JSON and as RLP',
  ({ headers }) => {
    for (const header of headers) {
      expect(proveHeader(header)).toBe(header.hash);
      expect(decodeRawHeader(headerBytes(header)).hash).toBe(header.hash);
    }
  },
);

describe('the first header of Amsterdam on Sepolia', () => {
  const [, amsterdam] = recordedHeadersOf('sepolia') as [RpcHeader, RpcHeader];

  test('has the hash of the access list and the number of the slot', () => {
    const { blockAccessListHash, slotNumber } = decodeRawHeader(headerBytes(amsterdam));
    expect({ blockAccessListHash, slotNumber }).toEqual({
      blockAccessListHash: amsterdam.blockAccessListHash,
      slotNumber: amsterdam.slotNumber,
    });
  });

  test('does not hash to its hash without either', () => {
    const { slotNumber, ...withoutSlot } = amsterdam;
    const { blockAccessListHash, ...prague } = withoutSlot;
    for (const header of [withoutSlot, prague]) expect(headerHash(header)).not.toBe(amsterdam.hash);
  });

  test('is refused without the first of them, which the second would pass for', () => {
    const { blockAccessListHash, ...header } = amsterdam;
    expect(() => headerHash(header)).toThrow('the node left it out, though the header has slotNumber');
  });
});

describe('a header that states another miner than the hash covers', () => {
  const [real] = recordedHeadersOf('sepolia') as [RpcHeader, RpcHeader];
  const { rules: polygon } = chainOf('POLYGON');
  const validator = `0x${'12'.repeat(20)}`;
  const sealedWith = (miner: string) => ({ ...real, hash: headerHash({ ...real, miner }), miner: validator });

  test.each([
    ['no address', `0x${'0'.repeat(40)}`],
    ['the account that collects tips', '0x7Ee41D8A25641000661B1EF5E6AE8A00400466B0'],
  ])('hashes on Polygon with %s, as Erigon needs, and on no other chain', (_, miner) => {
    const header = sealedWith(miner);
    expect(proveHeader(header, polygon)).toBe(header.hash);
    expect(() => proveHeader(header, chainOf('BSC').rules)).toThrow('does not hash to its hash');
  });

  test.each<[string, Partial<RpcHeader>]>([
    ['another miner', {}],
    ['another time', { timestamp: '0x1' }],
  ])('is refused on Polygon with %s', (_, change) => {
    const header = {
      ...sealedWith('timestamp' in change ? `0x${'0'.repeat(40)}` : `0x${'34'.repeat(20)}`),
      ...change,
    };
    expect(() => proveHeader(header, polygon)).toThrow('does not hash to its hash');
  });
});

describe('a header before London', () => {
  const [real] = recordedHeadersOf('sepolia') as [RpcHeader, RpcHeader];
  const names = ['hash', ...BASE_FIELDS.map(([name]) => name)] as const;
  const header = Object.fromEntries(names.map((name) => [name, real[name]])) as unknown as RpcHeader;

  test('hashes without a base fee, as JSON and as RLP', () => {
    expect(decodeRawHeader(headerBytes(header)).hash).toBe(headerHash(header));
  });

  test('has no withdrawals without a base fee', () => {
    const withGap = { ...header, withdrawalsRoot: `0x${'12'.repeat(32)}` };
    expect(() => headerHash(withGap)).toThrow(
      expect.objectContaining({
        field: 'baseFeePerGas',
        message: 'the node left it out, though the header has withdrawalsRoot',
      }),
    );
  });
});
