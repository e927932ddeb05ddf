import { differingParts, partsOfBlock, partsOfDay } from './compare.ts';
import { isEqual, type SecondOpinion } from './verify-day.ts';
import { isVerified, type Outcome } from './verify-days.ts';

/** What was found of a day, as data; fees are wei. Of its blocks only the first is told of in which two endpoints differ. */
export function documentOf(outcome: Outcome) {
  if (!isVerified(outcome)) return { chain: outcome.chain, date: outcome.day, reason: outcome.reason };
  const { chain, stored, recomputed, reasons, second } = outcome;
  const [a, b] = [partsOfDay(stored), partsOfDay(recomputed.figures)];
  return {
    ...{ chain, date: stored.day, endpoint: recomputed.host },
    ...(reasons.length > 0 && { passed_over: reasons }),
    equal: isEqual({ stored, recomputed }),
    differing: differingParts(a, b),
    ...{ stored: a, recomputed: b },
    ...(second && { second: opinionDocument(second, recomputed.host) }),
  };
}

function opinionDocument(second: SecondOpinion, first: string) {
  if (second.kind === 'none') return { result: 'no second endpoint', reasons: second.reasons };
  if (second.kind === 'nodes agree') return { result: second.kind, endpoint: second.host };
  const { kind, host, isStored, difference } = second;
  const { number, one, other } = difference;
  return {
    ...{ result: kind, endpoint: host, gives_what_is_stored: isStored, first_block_that_differs: number },
    told: { [first]: one && partsOfBlock(one), [host]: other && partsOfBlock(other) },
  };
}
