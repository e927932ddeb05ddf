import type { Ratio } from '../ratio.ts';
import { memoryRows } from './memory.ts';
import { speedRows } from './speed.ts';

/** The ingest against the least that its work takes, against other libraries, and against the memory that it has. */
export async function ingestBench(): Promise<Ratio[]> {
  console.error('ingest: read by turns with the ingest, undici, viem and ethers');
  const speed = await speedRows();
  console.error('ingest: read many blocks, and look at the memory');
  return [...speed, ...(await memoryRows())];
}
