import type { Chain } from '../../../core/chains/chains.ts';
import type { UnplacedBlock } from './block.ts';
import { rawAnswersOf } from './raw-answers.ts';
import type { Values } from './template.ts';

/** Returns the JSON of a node's result of each of the calls for RLP. */
export interface CannedRaw {
  readonly block: (values: Values) => Buffer;
  readonly receipts: Buffer;
}

/**
 * Prepares RLP in which only the place of the block changes. All numbers and timestamps of a canned chain have four bytes.
 * @param values of any block of the chain
 */
export function cannedRaw(
  chain: Chain,
  { header, transactions, receipts }: UnplacedBlock,
  values: Values,
): CannedRaw {
  const { blockHash, ...place } = values;
  const block = { ...header, ...place, hash: blockHash, transactions };
  const raw = rawAnswersOf(
    chain,
    block,
    receipts.map((receipt) => ({ ...receipt })),
  );
  const bytes = Buffer.from(JSON.stringify(raw.block), 'latin1');
  const places = Object.entries(place).map(([name, value]) => {
    const at = bytes.indexOf(value.slice(2));
    if (at < 0 || at > 2 * 1024) throw new Error(`The header of the benchmark's RLP lacks its ${name}.`);
    return { name: name as keyof typeof place, at };
  });
  return {
    block: (next) => {
      const filled = Buffer.from(bytes);
      for (const { name, at } of places) filled.write(next[name].slice(2), at, 'latin1');
      return filled;
    },
    receipts: Buffer.from(JSON.stringify(raw.receipts)),
  };
}
