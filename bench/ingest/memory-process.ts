import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as z from 'zod';
import { chainNames, chainOf } from '../../core/chains/chains.ts';
import { createIngest } from './readers/ours.ts';

/* Reads blocks in a child process of memory.ts, and reports the memory in use at regular intervals. */

const optionsSchema = z.object({
  chain: z.enum(chainNames),
  url: z.string(),
  blocks: z.int(),
  samples: z.int(),
});
export type MemoryOptions = z.input<typeof optionsSchema>;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Returns the bytes in use on the heap and in buffers. */
function memoryInUse(): number {
  // Memory that the first collection frees is counted until the second one.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const { chain, url, blocks, samples } = optionsSchema.parse(JSON.parse(process.argv[2] ?? ''));
const idle = memoryInUse();
const heldAfter: number[] = [];
let read = 0;
for await (const _ of createIngest(chainOf(chain), [url])(blocks)) {
  read += 1;
  if (read % (blocks / samples) === 0) heldAfter.push(memoryInUse() - idle);
}
process.send?.({ heldAfter });
process.once('disconnect', () => process.exit());
