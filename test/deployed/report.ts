import { formatDuration } from '#cli/print.ts';

/** An error that the report has printed. It ends the trial. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/** The progress and the results of a trial, printed line by line. */
export interface Report {
  readonly section: (title: string) => void;
  readonly note: (line: string) => void;
  /** Runs work that the rest of the trial depends on. @throws StoppedError when it fails */
  readonly step: <T>(claim: string, work: () => Promise<T>) => Promise<T>;
  /**
   * Runs a check. The trial continues after a failure.
   * @param gap a known difference of the target, which turns a failure into a skipped check
   */
  readonly check: (claim: string, work: () => Promise<void>, gap?: string) => Promise<void>;
  readonly skip: (claim: string, reason: string) => void;
  /** Prints the numbers of results. Returns the exit code: 0 when nothing failed. */
  readonly end: () => number;
}

/** Time after which a running step prints that it runs, in milliseconds. */
const HEARTBEAT_MS = 30_000;

/** @param print receives each line */
export function openReport(print: (line: string) => void): Report {
  const results = { passed: 0, skipped: 0, failed: 0 };
  const startedAt = Date.now();
  const passed = (claim: string, since: number) => {
    results.passed++;
    print(`  ✓ ${claim}${took(since)}`);
  };
  const failed = (claim: string, error: unknown) => {
    results.failed++;
    print(`  ✗ ${claim}\n${indent(messageOf(error))}`);
  };
  const skip = (claim: string, reason: string) => {
    results.skipped++;
    print(`  – ${claim}: skipped, ${reason}`);
  };
  return {
    section: (title) => print(`\n${title}`),
    note: (line) => print(`    ${line}`),
    skip,
    step: async (claim, work) => {
      const since = Date.now();
      const heart = setInterval(() => print(`    … ${claim}${took(since)}`), HEARTBEAT_MS);
      try {
        const result = await work();
        passed(claim, since);
        return result;
      } catch (error) {
        failed(claim, error);
        throw new StoppedError(claim);
      } finally {
        clearInterval(heart);
      }
    },
    check: async (claim, work, gap) => {
      const since = Date.now();
      await work().then(
        () => passed(claim, since),
        (error: unknown) => (gap === undefined ? failed(claim, error) : skip(claim, gap)),
      );
    },
    end: () => {
      const counts = Object.entries(results).map(([name, count]) => `${count} ${name}`);
      print(`\n${counts.join(', ')}${took(startedAt)}`);
      return results.failed === 0 ? 0 : 1;
    },
  };
}

/** Returns the time since a moment, unless it is below a second. */
function took(since: number): string {
  const seconds = (Date.now() - since) / 1_000;
  return seconds < 1 ? '' : ` (${formatDuration(seconds)})`;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const indent = (text: string): string => text.replaceAll(/^/gm, '      ');
