import type { BlockRef } from '../../lambda/chains/block.ts';
import { commandLine, formatTable } from '../print.ts';
import { type BlockDifference, partsOfBlock, partsOfDay } from './compare.ts';
import { partsTable } from './parts-table.ts';
import { isEqual, type Verification } from './verify-day.ts';
import { isVerified, type Outcome } from './verify-days.ts';

/**
 * What was found, for people: a single day in full, and of several those that are not as they should be.
 * @param flags what the line that reads a day again ends with
 */
export function showDays(outcomes: readonly Outcome[], flags: string): string {
  const isSingle = outcomes.length === 1;
  const inFull = outcomes.filter(isVerified).filter((found) => isSingle || !isEqual(found));
  return [...(isSingle ? [] : [listOf(outcomes)]), ...inFull.map((found) => showDay(found, flags))].join(
    '\n\n',
  );
}

function listOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map((outcome) => {
    if (!isVerified(outcome)) return [outcome.chain, outcome.day, '', '', `not verified: ${outcome.reason}`];
    const { chain, stored, recomputed } = outcome;
    const result = isEqual(outcome) ? 'equal' : 'differs';
    return [chain, stored.day, recomputed.blocks.length, recomputed.host, result];
  });
  return formatTable(['chain', 'date', 'blocks', 'recomputed from', 'result'], rows);
}

function showDay(found: Verification, flags: string): string {
  const { chain, stored, recomputed, reasons } = found;
  const [a, b] = [partsOfDay(stored), partsOfDay(recomputed.figures)];
  return [
    `${chain} ${stored.day}, recomputed from ${recomputed.host}`,
    ...reasons.map((reason) => `Passed over: ${reason}`),
    partsTable(['stored', 'recomputed'], a, b),
    ...(isEqual(found) ? ['The stored figures are those that the blocks give.'] : causesOf(found, flags)),
  ].join('\n\n');
}

const causesOf = (found: Verification, flags: string): string[] => [
  ...definitionOf(found),
  ...boundsOf(found),
  ...opinionOf(found, flags),
];

function definitionOf({ stored, recomputed: { figures } }: Verification): string[] {
  const [was, is] = [stored.definitionVersion, figures.definitionVersion];
  return was === is
    ? []
    : [`The day is stored by definition ${was}, and this version counts by definition ${is}.`];
}

/** Days that begin or end with other blocks differ in which blocks they have, whatever these hold. */
function boundsOf({ stored, recomputed: { figures, host } }: Verification): string[] {
  const name = (block: BlockRef | undefined) =>
    block ? `block ${block.number} (${block.hash})` : 'no block';
  return (['first', 'last'] as const)
    .map((end) => [end === 'first' ? 'begins' : 'ends', name(stored[end]), name(figures[end])] as const)
    .filter(([, was, is]) => was !== is)
    .map(([verb, was, is]) => `As stored, it ${verb} with ${was}; by ${host} it ${verb} with ${is}.`);
}

/** What a second endpoint says, and so what is to be done. */
function opinionOf({ chain, stored, recomputed, second }: Verification, flags: string): string[] {
  if (!second) return [];
  const first = recomputed.host;
  const words = ['--chain', chain, '--date', stored.day, '--reason', 'verify found other figures'];
  const restate = `\n  ${commandLine(flags, 'restate', ...words)}`;
  if (second.kind === 'none') {
    const advice =
      'A second node tells which block differs and who is wrong: name another with --rpc-url, beside this one. ' +
      `If there is none, and you trust this one, have the day read again:${restate}`;
    return [...second.reasons, advice];
  }
  if (second.kind === 'nodes agree') {
    return [
      `${first} and ${second.host} tell the same of each of its blocks: what is stored does not follow from the chain. ` +
        `To have the day read again, which keeps what is stored beside it:${restate}`,
    ];
  }
  const side = second.isStored
    ? `What is stored is what ${second.host} gives, to the last wei, so ${first} may be wrong. Ask a third node with --rpc-url. ` +
      `Only if that sides with ${first}, have the day read again:`
    : 'What is stored is what neither gives. Find out with a third node (--rpc-url) who is right, and have the day read again from such:';
  return [firstBlockOf(second.difference, first, second.host), side + restate];
}

function firstBlockOf({ number, one, other }: BlockDifference, first: string, second: string): string {
  const title = `The first block that differs is ${number}.`;
  if (one && other) {
    return `${title}\n\n${partsTable([first, second], partsOfBlock(one), partsOfBlock(other))}`;
  }
  const [has, lacks] = one ? [first, second] : [second, first];
  const { hash, timestamp } = one ?? other ?? {};
  return `${title} By ${has} it belongs to the day, as ${hash} at ${timestamp}; by ${lacks} it does not.`;
}
