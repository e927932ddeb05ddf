import fc from 'fast-check';
import type { FuzzTarget, Measure } from './target.ts';

/** Bounds of a single case. */
const MAX_MS = 2_000;
const MAX_MB = 400;

/** The worst of the cases of a target. */
export interface FuzzResult {
  readonly name: string;
  readonly cases: number;
  readonly worstMs: number;
  readonly worstMb: number;
}

/**
 * Runs random cases of a target.
 * @param until ends the run after `cases` cases, or after the batch in which this time passes (milliseconds since 1970)
 * @throws Error with the seed and the smallest case that fails
 */
export async function runTarget(
  { name, property }: FuzzTarget,
  until: { readonly cases: number } | { readonly time: number },
  seed = 1,
): Promise<FuzzResult> {
  let cases = 0;
  let worst = { ms: 0, mb: 0 };
  const run: Measure = async (decode) => {
    const { ms, mb } = await measure(decode);
    cases++;
    worst = { ms: Math.max(worst.ms, ms), mb: Math.max(worst.mb, mb) };
    if (ms > MAX_MS)
      throw new Error(`${name}: one case took ${Math.round(ms)} ms of CPU time, more than ${MAX_MS} ms.`);
    if (mb > MAX_MB) throw new Error(`${name}: one case took ${Math.round(mb)} MB, more than ${MAX_MB} MB.`);
  };
  const numRuns = 'cases' in until ? until.cases : 1_000;
  let batch = 0;
  do {
    await fc.assert(property(run), { numRuns, seed: seed + batch, endOnFailure: true });
    batch++;
  } while ('time' in until && Date.now() < until.time);
  return { name, cases, worstMs: worst.ms, worstMb: worst.mb };
}

async function measure(decode: () => unknown): Promise<{ readonly ms: number; readonly mb: number }> {
  const before = {
    time: process.cpuUsage(),
    heap: allocated(),
    resident: process.memoryUsage.rss(),
    peak: peak(),
  };
  await decode();
  // CPU time, because other tests run at the same time.
  const { user, system } = process.cpuUsage(before.time);
  const ms = (user + system) / 1_000;
  // A peak of the process that this case reached counts in full; below it, the memory that is allocated at the end.
  const grown = peak() > before.peak ? peak() - before.resident : 0;
  return { ms, mb: Math.max(0, grown, allocated() - before.heap) / 1024 ** 2 };
}

function allocated(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Returns the largest resident memory of this process so far, in bytes. */
const peak = (): number => process.resourceUsage().maxRSS * 1024;
