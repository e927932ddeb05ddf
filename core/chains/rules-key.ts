import { createHash } from 'node:crypto';
import { OP_STACK_TIMES } from './fork-times.ts';
import { OP_PROTOCOL_SENDERS } from './protocol-transactions.ts';
import type { BlobRules, Rules } from './rule-types.ts';

/** Blocks whose rules are compared: their numbers, and their times in seconds. */
export interface RuleSpan {
  readonly first: number;
  readonly last: number;
  readonly from: number;
  readonly until: number;
}

/**
 * Returns a name, 16 hex digits, of the rules that were in force for some blocks. If another version saved sums of these blocks under
 * another name, it followed other rules. A rule that only refuses blocks, such as the last known version of ArbOS, does not change the name.
 */
export function rulesKey(rules: Rules, { first, last, from, until }: RuleSpan): string {
  const kinds = Map.groupBy(changesOf(rules), ({ kind }) => kind);
  const inForce = [...kinds.values()].flatMap((changes) => {
    const [begin, end] = changes[0]?.unit === 'block' ? [first, last] : [from, until];
    const before = changes.findLast(({ at }) => at <= begin);
    const within = changes.filter(({ at }) => at > begin && at <= end);
    return [...(before ? [[before.kind, before.value]] : []), ...within];
  });
  return createHash('sha256').update(JSON.stringify(inForce)).digest('hex').slice(0, 16);
}

const opStackTimes = Object.keys(OP_STACK_TIMES) as readonly (keyof typeof OP_STACK_TIMES)[];

/** A rule that changes the sums of blocks, from a block or a time on. The next change of the same kind replaces it. */
const change = (unit: 'block' | 'time', kind: string, at: number, value: string | number = '') => ({
  kind,
  unit,
  at,
  value,
});

/** Lists the rules. Those of one kind are in the order of time. */
function changesOf(rules: Rules) {
  switch (rules.family) {
    case 'ethereum':
      return rules.blobSchedule.map(blobChange);
    case 'bsc':
      return [
        ...rules.blobSchedule.map(blobChange),
        change('block', 'system contracts', 0, [...rules.systemContracts].toSorted().join(' ')),
      ];
    case 'polygon':
      return [
        ...rules.sprints.map(({ from, length }) => change('block', 'sprint', from, length)),
        change('block', 'type of state-sync', rules.stateSyncTypeFrom),
      ];
    case 'arbitrum':
      return [change('block', 'Nitro', rules.nitroBlock, 'redeems by gas limit')];
    case 'op-stack':
      return [
        change('block', 'Bedrock', rules.bedrockBlock),
        change('block', 'protocol senders', 0, [...OP_PROTOCOL_SENDERS].join(' ')),
        ...opStackTimes.map((kind) => change('time', kind, rules[kind])),
      ];
  }
}

const blobChange = ({ from, updateFraction, minPrice }: BlobRules) =>
  change('time', 'price of blobs', from, minPrice ? `${updateFraction} from ${minPrice}` : updateFraction);
