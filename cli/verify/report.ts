import { abbreviate } from '../../core/figures/block.ts';
import { differingParts, keysOf } from '../../core/store/days/compare-figures.ts';
import { commandLine, formatCount, formatTable, listed, pluralize, type TableCell } from '../print.ts';
import { partsOf } from './recompute.ts';
import { type DayProof, isEqual, isVerified, type Verification, type VerifyResult } from './verify-days.ts';

/** Returns the JSON document of a day; fees in wei. */
export function documentOf(outcome: VerifyResult) {
  if (!isVerified(outcome)) return { chain: outcome.chain, date: outcome.day, reason: outcome.reason };
  const { chain, stored, recomputed, proof, reasons, crossCheck } = outcome;
  const [a, b] = [partsOf(stored), partsOf(recomputed.figures)];
  return {
    chain,
    date: stored.day,
    endpoint: recomputed.host,
    ...(reasons.length > 0 && { skipped_endpoints: reasons }),
    equal: isEqual({ stored, recomputed }),
    differing: differingParts(a, b),
    stored: a,
    recomputed: b,
    proof,
    ...(crossCheck && { cross_check: crossCheck }),
  };
}

/** Shows a single day in full; of several, a list and those that differ. @param flags end the `restate` command */
export function showDays(outcomes: readonly VerifyResult[], flags: string): string {
  const isSingle = outcomes.length === 1;
  const inFull = outcomes.filter(isVerified).filter((day) => isSingle || !isEqual(day));
  return [...(isSingle ? [] : [listOf(outcomes)]), ...inFull.map((day) => showDay(day, flags))].join('\n\n');
}

function listOf(outcomes: readonly VerifyResult[]): string {
  const rows = outcomes.map((outcome) => {
    if (!isVerified(outcome))
      return [outcome.chain, outcome.day, '', '', '', '', `not verified: ${outcome.reason}`];
    const { chain, stored, recomputed, proof } = outcome;
    const result = isEqual(outcome) ? 'equal' : 'differs';
    const { block_count, proven_blocks, confirmed_by, continued_by, problem } = proof;
    const anchor =
      continued_by ?? (problem === undefined ? pluralize(confirmed_by.length, 'host') : 'nothing');
    return [chain, stored.day, block_count, proven_blocks, recomputed.host, anchor, result];
  });
  const head = ['chain', 'date', 'blocks', 'proven', 'recomputed from', 'confirmed by', 'result'];
  return formatTable(head, rows);
}

function showDay(day: Verification, flags: string): string {
  const { chain, stored, recomputed, proof, reasons } = day;
  const [a, b] = [partsOf(stored), partsOf(recomputed.figures)];
  return [
    `${chain} ${stored.day}, recomputed from ${recomputed.host}`,
    ...reasons.map((reason) => `Skipped ${reason}`),
    partsTable(['stored', 'recomputed'], a, b),
    showProof(proof),
    ...(isEqual(day) ? ['The stored figures match the blocks.'] : explainCrossCheck(day, flags)),
  ].join('\n\n');
}

function explainCrossCheck({ chain, stored, recomputed, crossCheck }: Verification, flags: string): string[] {
  const first = recomputed.host;
  const options = { chain, date: stored.day, reason: 'verify found different figures' };
  const restate = `\n  ${commandLine(flags, 'restate', options)}`;
  const wrong = `so the stored ones are wrong. Restate the day, which also keeps the old figures:${restate}`;
  if (!crossCheck) return [`The recomputed figures are proven, ${wrong}`];
  if (crossCheck.result === 'unavailable') {
    const advice =
      'A second endpoint would show which side is wrong. Add one with --rpc-url. ' +
      `If you have no other endpoint and trust this one, restate the day:${restate}`;
    return [...crossCheck.reasons, advice];
  }
  const { endpoint: host } = crossCheck;
  if (crossCheck.result === 'endpoints agree')
    return [`${first} and ${host} report the same figures, ${wrong}`];
  const advice = crossCheck.equals_stored
    ? `The stored figures match those of ${host} exactly, so ${first} may be wrong. Ask a third endpoint with --rpc-url. ` +
      `Restate the day only if it agrees with ${first}:`
    : 'The stored figures match neither endpoint. Ask a third one with --rpc-url, and restate the day from an endpoint that is right:';
  return [advice + restate];
}

/** Describes a proof, such as "15 of 15 blocks are proven. The last one is 0x…, which the first block of 2026-11-19 names as its parent." */
export function showProof(proof: DayProof): string {
  const { block_count: blocks, proven_blocks, last_hash } = proof;
  const proven = `${formatCount(proven_blocks)} of ${pluralize(blocks, 'block')} ${blocks === 1 ? 'is' : 'are'} proven.`;
  const others = proven_blocks === blocks ? '' : ' The others passed consistency checks alone.';
  return `${proven}${others} The last one is ${last_hash}${showAnchor(proof)}.`;
}

function showAnchor({ confirmed_by, continued_by, problem }: DayProof): string {
  if (continued_by) return `, which the first block of ${continued_by} names as its parent`;
  return problem === undefined
    ? `, and ${listed(confirmed_by)} confirm the block after it`
    : `, which is not anchored: ${problem.replace(/\.$/, '')}`;
}

type DayParts = Omit<ReturnType<typeof partsOf>, 'hours' | 'distribution'> &
  Partial<ReturnType<typeof partsOf>>;

/** Shows two sides of a day part by part, by the names of the API, fees in wei, and marks the parts that differ. */
export function partsTable(titles: readonly [string, string], a: DayParts, b: DayParts): string {
  const differing = new Set<string>(differingParts(a, b));
  const rows = keysOf(a).map((part) => {
    return [part, showPart(a[part]), showPart(b[part]), differing.has(part) ? '≠' : ''];
  });
  return formatTable(['part', ...titles, ''], rows);
}

function showPart(part: DayParts[keyof DayParts]): TableCell {
  if (typeof part === 'object') return `${part.number} ${abbreviate(part.hash)}`;
  if (typeof part === 'string') return abbreviate(part);
  return part ?? 'none';
}
