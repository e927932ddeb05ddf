import { BlockError } from '../../lambda/chains/block-error.ts';
import { type Endpoint, EndpointError } from '../../lambda/rpc/endpoint.ts';
import { checkers, OldHeadError } from './checks.ts';
import { CHECKS, type Check, type Examination, type Known, NEEDED, type Problem } from './examination.ts';
import { slowRpc } from './slow-rpc.ts';
import type { Target } from './targets.ts';

/** An endpoint that takes longer to examine is told of as far as it came. */
const EXAMINE_WITHIN_MS = 90_000;

/**
 * Looks at one endpoint, one or two calls at a time until its limits are tried.
 * @param onCheck is told of each check that is over, or left out
 * @param within milliseconds; only tests need others
 * @throws the signal's reason when that aborts
 */
export async function examine(
  target: Target,
  endpoint: Endpoint,
  signal: AbortSignal,
  onCheck: () => void,
  within = EXAMINE_WITHIN_MS,
): Promise<Examination> {
  const timeIsUp = AbortSignal.timeout(within);
  const either = AbortSignal.any([signal, timeIsUp]);
  const known: Known = { endpoint: endpoint.host };
  const patient = { target, endpoint, signal: either, rpc: slowRpc(endpoint, either), known };
  const problems: Problem[] = [];
  for (const check of CHECKS) {
    const isOver = timeIsUp.aborted || problems.some((problem) => NEEDED.has(problem.check));
    if (!isOver) {
      await checkers[check](patient).catch((error: unknown) => {
        problems.push(
          timeIsUp.aborted ? outOfTime(check, endpoint, within) : problemOf(check, endpoint, error),
        );
      });
    }
    onCheck();
  }
  return { ...known, problems };
}

function outOfTime(check: Check, { host }: Endpoint, within: number): Problem {
  const reason = `${host}: the checks were given up after ${within / 1_000} s, at its ${check}`;
  return { check, kind: 'out of time', reason };
}

/** @throws an error that is none of the endpoint's */
function problemOf(check: Check, { host }: Endpoint, error: unknown): Problem {
  if (error instanceof EndpointError) return { check, kind: error.kind, reason: error.message };
  if (error instanceof BlockError) return { check, kind: 'bad block', reason: `${host}: ${error.message}` };
  if (error instanceof OldHeadError) return { check, kind: 'old', reason: `${host}: ${error.message}` };
  throw error;
}
