import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as z from 'zod';
import { chainNames, chainOf } from '../../lambda/chains/chains.ts';
import { openIngest } from './readers/ours.ts';

/*
 * Reads blocks in a process of its own, and looks now and then at what cannot be collected: see memory.ts.
 */

const optionsSchema = z.object({
  chain: z.enum(chainNames),
  url: z.string(),
  blocks: z.int(),
  samples: z.int(),
});
export type MemoryOptions = z.input<typeof optionsSchema>;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes, on the heap and of buffers beside it. */
function held(): number {
  // What a first collection has only made free is counted until a second one.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const { chain, url, blocks, samples } = optionsSchema.parse(JSON.parse(process.argv[2] ?? ''));
const idle = held();
const heldAfter: number[] = [];
let read = 0;
for await (const _ of openIngest(chainOf(chain), url)(blocks)) {
  read += 1;
  if (read % (blocks / samples) === 0) heldAfter.push(held() - idle);
}
process.send?.({ heldAfter });
process.once('disconnect', () => process.exit());
