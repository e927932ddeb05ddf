import type { Ratio } from '../ratio.ts';
import { memoryRows } from './memory.ts';
import { speedRows } from './speed.ts';

/** Compares the ingest's speed with a minimal reader and other libraries, and its memory with the size of responses. */
export async function ingestBench(): Promise<Ratio[]> {
  console.error('ingest: reading with the ingest, undici, viem and ethers alternately');
  const speed = await speedRows();
  console.error('ingest: measuring memory over many blocks');
  return [...speed, ...(await memoryRows())];
}
