import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { hashTogether as hashPairs, keccak256 as wasmKeccak } from '#core/proof/encoding/keccak.ts';
import { Buffer as Bytes } from '#web/open/buffer.ts';
import { hashTogether, keccak256 } from '#web/open/keccak.ts';
import { type Change, proveSteps, type RecordedBlock } from '#web/open/proof.ts';

const block = JSON.parse(readFileSync('web/open/recorded-block.json', 'utf8')) as RecordedBlock;
const fixture = JSON.parse(
  readFileSync('test/fixtures/full-blocks/small/ETHEREUM-13998626.json', 'utf8'),
) as { block: { hash: string } };

test('proves the recorded block, which is the one that a node returned', () => {
  expect(block.hash).toBe(fixture.block.hash);
  const steps = proveSteps(block, 'none');
  expect(steps.map(({ title, state }) => `${title} ${state}`)).toEqual([
    'Header done',
    'Transactions done',
    'Receipts done',
    'Prices done',
    'Sum done',
  ]);
  expect(steps.at(-1)).toMatchObject({ text: 'The fees of the block are 0.108985171685612978 ETH.' });
});

test.each<[Change, string]>([
  ['header', 'refused skipped skipped skipped skipped'],
  ['transaction', 'done refused skipped skipped skipped'],
  ['receipt', 'done done refused skipped skipped'],
])('refuses the block at the step of a changed byte of the %s', (change, states) => {
  expect(
    proveSteps(block, change)
      .map(({ state }) => state)
      .join(' '),
  ).toBe(states);
});

test('refuses a block whose sum is not the published one', () => {
  const steps = proveSteps({ ...block, fees: '0.108985171685612979' }, 'none');
  expect(steps.at(-1)?.state).toBe('refused');
});

test('hashes in JavaScript as the WebAssembly of the service does', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300, size: 'max' }), { maxLength: 5 }), (messages) => {
      for (const message of messages)
        expect(keccak256(message)).toEqual(Uint8Array.from(wasmKeccak(message)));
      const addAll = (add: (bytes: Uint8Array) => void) => {
        for (const message of messages) add(message);
      };
      expect(hashTogether(addAll)).toEqual(Uint8Array.from(hashPairs(addAll)));
    }),
  );
});

test('reads and writes bytes as the Buffer of Node does', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 6, maxLength: 40, size: 'max' }), fc.nat(5), (bytes, at) => {
      const [ours, theirs] = [Bytes.from(bytes.slice().buffer), Buffer.from(bytes)];
      expect(ours.toString('hex', at)).toBe(theirs.toString('hex', at));
      const length = Math.min(6, bytes.length - at);
      expect(ours.readUIntBE(at, length)).toBe(theirs.readUIntBE(at, length));
      expect(Uint8Array.from(Bytes.from(theirs.toString('hex'), 'hex'))).toEqual(bytes);
    }),
  );
  expect(Bytes.alloc(2).write('0gff', 0, 2)).toBe(0);
  expect(Bytes.from('ab', 'latin1').toString('hex')).toBe('6162');
});
