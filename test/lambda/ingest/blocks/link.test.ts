import { BlockError } from '../../../lambda/chains/block-error.ts';
import { checkFollows, checkLinks, type Parent } from '../../../lambda/ingest/check-link.ts';
import { hashOf } from '../../support/builders.ts';

const MIDNIGHT = 1_795_132_800;
const block = (number: number, timestamp: number, parentHash = hashOf(number - 1)) => ({
  number,
  hash: hashOf(number),
  parentHash,
  timestamp,
});
const nine: Parent = { block: { number: 9, hash: hashOf(9) }, notBefore: MIDNIGHT };

const check = (parent: Parent, ...blocks: ReturnType<typeof block>[]) => checkLinks('BSC', parent, blocks);

test('accepts a chain of parents and children', () => {
  expect(() => check(nine, block(10, MIDNIGHT), block(11, MIDNIGHT), block(12, MIDNIGHT + 9))).not.toThrow();
  expect(() => check(nine)).not.toThrow();
});

test('accepts genesis without a parent', () => {
  expect(() => check({ notBefore: 0 }, block(0, 0, hashOf('nothing')), block(1, 5))).not.toThrow();
});

test('refuses a first block with another parent', () => {
  const stranger = () => check(nine, block(10, MIDNIGHT, hashOf('fork')));
  expect(stranger).toThrow(BlockError);
  expect(stranger).toThrow(`BSC block 10: its parent is ${hashOf('fork')}, but block 9 is ${hashOf(9)}`);
});

test('refuses a later block with another parent', () => {
  expect(() => check(nine, block(10, MIDNIGHT), block(11, MIDNIGHT, hashOf('fork')))).toThrow(
    `BSC block 11: its parent is ${hashOf('fork')}, but block 10 is ${hashOf(10)}`,
  );
});

test('refuses a block older than its day or its parent', () => {
  expect(() => check(nine, block(10, MIDNIGHT - 1))).toThrow(
    `BSC block 10: its timestamp ${MIDNIGHT - 1} is before ${MIDNIGHT}`,
  );
  const older = () => check(nine, block(10, MIDNIGHT + 5), block(11, MIDNIGHT + 4));
  expect(older).toThrow(BlockError);
  expect(older).toThrow(`BSC block 11: its timestamp ${MIDNIGHT + 4} is before ${MIDNIGHT + 5}`);
});

test('checkFollows compares hashes only', () => {
  expect(() => checkFollows('BSC', block(9, MIDNIGHT + 5), block(10, MIDNIGHT))).not.toThrow();
  expect(() => checkFollows('BSC', block(9, MIDNIGHT), block(10, MIDNIGHT, hashOf('fork')))).toThrow(
    BlockError,
  );
});
