import { type Endpoint, EndpointError } from '../../core/rpc/endpoint.ts';
import {
  CHECKS,
  type Check,
  checkers,
  type EndpointReport,
  type FailedCheck,
  type Findings,
  REQUIRED_CHECKS,
  StaleHeadError,
} from './checks.ts';
import { retryingRpc } from './rpc.ts';
import type { Target } from './targets.ts';

const TIMEOUT_MS = 90_000;

/** The checks of an endpoint from which no block is read. */
const ANCHOR_CHECKS: ReadonlySet<Check> = new Set(['chain ID', 'finalized block']);

/**
 * Runs all checks on one endpoint. On timeout, reports the checks that completed.
 * @param onCheck called after each check, also after a skipped one
 * @throws the signal's reason when it aborts
 */
export async function checkEndpoint(
  target: Target,
  endpoint: Endpoint,
  signal: AbortSignal,
  onCheck: () => void,
  timeoutMs = TIMEOUT_MS,
): Promise<EndpointReport> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, timeout]);
  const findings: Findings = { endpoint: endpoint.host };
  const context = { target, endpoint, signal: either, rpc: retryingRpc(endpoint, either), findings };
  const failed: FailedCheck[] = [];
  for (const check of CHECKS) {
    const isSkipped =
      timeout.aborted ||
      (endpoint.isAnchorOnly && !ANCHOR_CHECKS.has(check)) ||
      failed.some((failure) => REQUIRED_CHECKS.has(failure.check));
    if (!isSkipped) {
      await checkers[check](context).catch((error: unknown) => {
        failed.push(
          timeout.aborted ? timedOut(check, endpoint, timeoutMs) : failureOf(check, endpoint, error),
        );
      });
    }
    onCheck();
  }
  return { ...findings, failed_checks: failed };
}

function timedOut(check: Check, { host }: Endpoint, timeoutMs: number): FailedCheck {
  const reason = `${host}: timed out after ${timeoutMs / 1_000} s, during the ${check} check`;
  return { check, kind: 'timed out', reason };
}

/** @throws an error that the endpoint did not cause */
function failureOf(check: Check, { host }: Endpoint, error: unknown): FailedCheck {
  if (error instanceof EndpointError) return { check, kind: error.kind, reason: error.message };
  if (error instanceof StaleHeadError) return { check, kind: 'stale', reason: `${host}: ${error.message}` };
  throw error;
}
