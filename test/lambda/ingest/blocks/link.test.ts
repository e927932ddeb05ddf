import { linkProblem, type Parent, parentProblem } from '../../../../lambda/ingest/blocks/link.ts';
import { hashOf } from '../../../support/builders.ts';

const MIDNIGHT = 1_795_132_800;
const block = (number: number, timestamp: number, parentHash = hashOf(number - 1)) => ({
  number,
  hash: hashOf(number),
  parentHash,
  timestamp,
});
const nine: Parent = { block: { number: 9, hash: hashOf(9) }, notBefore: MIDNIGHT };

const problemOf = (parent: Parent, ...blocks: ReturnType<typeof block>[]) =>
  linkProblem('BSC', parent, blocks);

test('accepts a chain of parents and children', () => {
  const chain = [block(10, MIDNIGHT), block(11, MIDNIGHT), block(12, MIDNIGHT + 9)];
  expect(problemOf(nine, ...chain)).toBeUndefined();
  expect(problemOf(nine)).toBeUndefined();
});

test('accepts genesis without a parent', () => {
  const genesis = block(0, 0, hashOf('nothing'));
  expect(problemOf({ notBefore: 0 }, genesis, block(1, 5))).toBeUndefined();
});

test('refuses a first block with another parent', () => {
  expect(problemOf(nine, block(10, MIDNIGHT, hashOf('fork')))).toBe(
    `BSC block 10: its parent is ${hashOf('fork')}, but block 9 was read as ${hashOf(9)}`,
  );
});

test('refuses a later block with another parent', () => {
  expect(problemOf(nine, block(10, MIDNIGHT), block(11, MIDNIGHT, hashOf('fork')))).toBe(
    `BSC block 11: its parent is ${hashOf('fork')}, but block 10 was read as ${hashOf(10)}`,
  );
});

test('refuses a block older than its day or its parent', () => {
  expect(problemOf(nine, block(10, MIDNIGHT - 1))).toBe(
    `BSC block 10: its timestamp ${MIDNIGHT - 1} is before ${MIDNIGHT}, that of its parent or of midnight`,
  );
  expect(problemOf(nine, block(10, MIDNIGHT + 5), block(11, MIDNIGHT + 4))).toContain(
    `BSC block 11: its timestamp ${MIDNIGHT + 4} is before ${MIDNIGHT + 5}`,
  );
});

test('parentProblem compares hashes only', () => {
  expect(parentProblem('BSC', block(9, MIDNIGHT + 5), block(10, MIDNIGHT))).toBeUndefined();
  expect(parentProblem('BSC', block(9, MIDNIGHT), block(10, MIDNIGHT, hashOf('fork')))).toContain(
    'its parent',
  );
});
