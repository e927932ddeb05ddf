import { bodyOf, receiptsOf } from '../../bench/ingest/node/era-files.ts';
import type { BlockBytes } from '../../lambda/proof/prove-raw-block.ts';

/** Writes an era1 file with another library. Its total difficulties are zero. */
export async function otherEra1File(era: number, blocks: readonly BlockBytes[]): Promise<Buffer> {
  // Its CommonJS build expects a default export, which this dependency lacks.
  const streams: object = jest.requireActual('@chainsafe/snappy-stream');
  Object.assign(streams, { default: streams });
  const { formatEra1 } = await import('@ethereumjs/e2store');
  const tuples = blocks.map((block) => ({
    header: block.header,
    body: bodyOf(block),
    receipts: receiptsOf(block),
    totalDifficulty: 0n,
  }));
  const records = tuples.map(() => ({ blockHash: new Uint8Array(32), totalDifficulty: 0n }));
  const file = Buffer.from(await formatEra1(tuples, records, era));
  // Version 10.0.0 writes offsets as if eight bytes came before the index, and not the 40 of the accumulator.
  for (let block = 0; block < blocks.length; block++) {
    const at = file.length - 8 * (blocks.length + 1) + 8 * block;
    file.writeBigInt64LE(file.readBigInt64LE(at) - 32n, at);
  }
  return file;
}
