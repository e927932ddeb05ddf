import { linkProblem, ruleProblem } from '#core/blocks/link-problems.ts';
import { chainOf } from '#core/chains/chains.ts';
import type { SummedBlock } from '#core/figures/block.ts';
import type { EvidencePolicy } from '#core/figures/day-figures.ts';
import { refAt, sampleChain, summedBlock } from '#test/support/generators/chains/sample-chain.ts';

/* Proves which blocks continue from a place, and which rule between two blocks is kept. */

const raw = sampleChain([0, 12, 12, 24]);
const block = (number: number, change: Partial<SummedBlock> = {}): SummedBlock => ({
  ...summedBlock(raw, number, 'a.example'),
  ...change,
});
const hashAt = (number: number) => refAt(raw, number).hash;

describe('linkProblem', () => {
  const AFTER_GENESIS = { block: refAt(raw, 0), notBefore: 12 };

  test.each<[string, Parameters<typeof linkProblem>[1], readonly SummedBlock[]]>([
    ['after their parents, in one second too', AFTER_GENESIS, [block(1), block(2), block(3)]],
    ['before any other', { notBefore: 0 }, [block(0), block(1)]],
    ['to a place without a block', { notBefore: 24 }, [block(3)]],
  ])('accepts blocks that link %s', (_, place, blocks) => {
    expect(linkProblem('BSC', place, blocks, refAt(raw, 3))).toBeUndefined();
  });

  test.each<[string, readonly SummedBlock[], string]>([
    [
      'the child of another block',
      [block(1, { parentHash: '0xab' })],
      `BSC block 1: its parent is 0xab, but block 0 was read as ${hashAt(0)}`,
    ],
    [
      'a child that skips a block',
      [block(1), block(3)],
      `BSC block 3: its parent is ${hashAt(2)}, but block 1 was read as ${hashAt(1)}`,
    ],
    [
      'a block of the second before midnight',
      [block(1, { timestamp: 11 })],
      'BSC block 1: its timestamp 11 is before 12, that of its parent or of midnight',
    ],
    [
      'a block of the second before its parent',
      [block(1, { timestamp: 13 }), block(2)],
      'BSC block 2: its timestamp 12 is before 13, that of its parent or of midnight',
    ],
    [
      'another block than the end',
      [block(1), block(2), block(3, { hash: '0xcd' })],
      `BSC block 3: its hash is 0xcd, not ${hashAt(3)}, which is final`,
    ],
  ])('refuses %s', (_, blocks, refused) => {
    expect(linkProblem('BSC', AFTER_GENESIS, blocks, refAt(raw, 3))).toEqual({ refused });
  });
});

describe('ruleProblem', () => {
  // Since the second fork of only blob parameters (BPO2), the target of Ethereum is 14 blobs of 131,072 gas.
  const timestamp = Date.parse('2026-02-01T00:00:00Z') / 1_000;
  const withExcess = (number: number, excess: bigint) =>
    block(number, { timestamp, blobGas: { excess, used: 14n * 131_072n, baseFee: 0n } });
  const excesses = (values: readonly bigint[]) =>
    values.map((excess, index) => withExcess(index + 1, excess));
  const problem = (
    values: readonly bigint[],
    header: SummedBlock | undefined = withExcess(0, 0n),
    evidence: EvidencePolicy = 'proven',
  ) => ruleProblem({ chain: chainOf('ETHEREUM'), evidence }, { notBefore: 0, header }, excesses(values));

  test('accepts blocks whose excess of blob gas follows from the block before', () => {
    expect(problem([0n, 0n])).toBeUndefined();
  });

  test.each([
    ['first', [1n], 1],
    ['second', [0n, 1n], 2],
  ])('reports an unknown rule for a %s block with another excess', (_, values, number) => {
    expect(problem(values)).toEqual({
      refused: expect.stringContaining(`ETHEREUM block ${number}: excessBlobGas: it is 1, and 0 follows`),
      fault: 'unknown rule',
    });
  });

  test('says nothing where the block before is not known, or the header of either is not hashed', () => {
    const place = { notBefore: 0 };
    expect(
      ruleProblem({ chain: chainOf('ETHEREUM'), evidence: 'proven' }, place, excesses([1n])),
    ).toBeUndefined();
    for (const evidence of ['checked', 'checked from 0', 'checked from 1'] as const)
      expect(problem([1n], withExcess(0, 0n), evidence)).toBeUndefined();
    expect(problem([1n], withExcess(0, 0n), 'checked from 2')).toBeDefined();
  });
});
