import { type BlockFile, type BlockFiles, EraFileError } from '#core/blocks/files/source.ts';
import type { BlockBytes } from '#core/proof/raw/prove-raw-block.ts';
import { storedBytes } from '#test/support/generators/files/stored-bytes.ts';
import type { Random } from '#test/support/generators/random/random.ts';
import type { RandomChain } from '#test/support/generators/random/random-chain.ts';

/** Returns the block with a byte changed, as a damaged disk would give it. */
function damaged(bytes: BlockBytes, random: Random): BlockBytes {
  const part = random.pick(['header', 'transactions', 'receipts'] as const);
  const flip = (given: Uint8Array) => {
    const copy = given.slice();
    const at = random.below(copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
    return copy;
  };
  if (part === 'header') return { ...bytes, header: flip(bytes.header) };
  const [first, ...rest] = bytes[part];
  return first ? { ...bytes, [part]: [flip(first), ...rest] } : { ...bytes, header: flip(bytes.header) };
}

/**
 * Returns the files of a node that has a range of the chain's blocks. One of them may be damaged, and one may be unreadable.
 */
export function filesOf({ chain, blocks }: RandomChain, random: Random): BlockFiles {
  const first = random.chance(0.5) ? 0 : random.below(blocks.length);
  const last = random.chance(0.5) ? blocks.length - 1 : first + random.below(blocks.length - first);
  const [bad, unreadable] = [0, 1].map(() => (random.chance(0.3) ? random.below(blocks.length) : undefined));
  const read = (number: number): BlockBytes => {
    const block = blocks[number];
    if (!block || number === unreadable) throw new EraFileError(`block ${number} is unreadable`);
    const bytes = storedBytes(chain, block);
    return number === bad ? damaged(bytes, random) : bytes;
  };
  const file: BlockFile = {
    name: 'files',
    first,
    last,
    header: async (number) => read(number).header,
    blocks: async function* (from) {
      for (let number = from; number <= last; number++) yield read(number);
    },
  };
  return {
    host: 'localhost',
    ends: async () => ({ files: [file], problems: [] }),
    withBlock: async (number) => ({ files: number < first || number > last ? [] : [file], problems: [] }),
  };
}
