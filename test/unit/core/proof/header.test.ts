import { headerBytes } from '#bench/ingest/node/block-bytes.ts';
import { headerHash, proveHeader } from '#core/proof/header.ts';
import type { RpcHeader } from '#core/proof/json/rpc-types.ts';
import { decodeRawHeader } from '#core/proof/raw/raw-header.ts';
import { recordedHeaders, recordedHeadersOf } from '#test/support/generators/recorded-headers.ts';

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
