import fc from 'fast-check';
import type { FuzzTarget, Measure } from './target.ts';

/** A million parses of a small array, in milliseconds of CPU time on the machine for which the bounds were chosen. */
const REFERENCE_MS = 120;

/** Returns how many times longer than that machine this one takes, at least 1: a slow machine must not fail a case. */
function slowness(): number {
  const before = process.cpuUsage();
  for (let times = 0; times < 1_000_000; times++) JSON.parse('[1]');
  return Math.max(1, cpuMsSince(before) / REFERENCE_MS);
}

/** Bounds of a single case. */
const BOUNDS = { ms: 2_000 * slowness(), mb: 400 };

/** The worst of the cases of a target. */
export interface FuzzResult {
  readonly name: string;
  readonly cases: number;
  readonly worstMs: number;
  readonly worstMb: number;
}

/**
 * Runs random cases of a target.
 * @param until the number of cases, or milliseconds after which the next case ends the run
 * @throws Error with the seed and the smallest case that fails
 */
export async function runTarget(
  { name, property }: FuzzTarget,
  until: { readonly cases: number } | { readonly forMs: number },
  seed = 1,
): Promise<FuzzResult> {
  let cases = 0;
  let worst = { ms: 0, mb: 0 };
  const run: Measure = async (decode) => {
    const { ms, mb } = await measure(decode);
    cases++;
    worst = { ms: Math.max(worst.ms, ms), mb: Math.max(worst.mb, mb) };
    if (ms > BOUNDS.ms)
      throw new Error(`${name}: one case took ${ms} ms of CPU time, more than ${BOUNDS.ms} ms.`);
    if (mb > BOUNDS.mb) throw new Error(`${name}: one case took ${mb} MB, more than ${BOUNDS.mb} MB.`);
  };
  const limits =
    'cases' in until
      ? { numRuns: until.cases }
      : { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: until.forMs };
  await fc.assert(property(run), { ...limits, seed, endOnFailure: true });
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
  const ms = cpuMsSince(before.time);
  // A peak of the process that this case reached counts in full; below it, the memory that is allocated at the end.
  const grown = peak() > before.peak ? peak() - before.resident : 0;
  return { ms, mb: Math.max(0, grown, allocated() - before.heap) / 1024 ** 2 };
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function allocated(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Returns the largest resident memory of this process so far, in bytes. */
const peak = (): number => process.resourceUsage().maxRSS * 1024;
