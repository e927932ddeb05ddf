import { validateHeader } from '../../core/anchor/read-header.ts';
import type { Chain } from '../../core/chains/chains.ts';
import type { Rules } from '../../core/chains/rule-types.ts';
import { dayOf } from '../../core/figures/calendar.ts';
import type { Attempt } from '../../core/rpc/failover.ts';
import type { Rpc } from '../../core/rpc/json-rpc.ts';
import { getBlockHeader } from '../../core/rpc/methods.ts';

/* Headers show a part of a chain's row: the day of its first block, and the forks that changed the form of headers. */

type Fields = Readonly<Record<string, unknown>>;

/** The name of a fork, the time that the row gives it, in seconds, and whether a header has its form. */
type ShownFork = readonly [name: string, time: number, isIn: (header: Fields) => boolean];

const has = (field: string) => (header: Fields) => header[field] != null;

/** A version above Holocene's, Holocene's two parameters, and the minimum base fee, in hex: https://specs.optimism.io/protocol/jovian. */
const JOVIAN_EXTRA_DATA = /^0x0[1-9a-f].{32}/;

/** Lists the forks of a row that headers show. Others, such as Fjord, changed rules alone. */
function shownForks(rules: Rules): readonly ShownFork[] {
  if (rules.family === 'op-stack')
    return [
      ['Canyon', rules.canyonTime, has('withdrawalsRoot')],
      ['Ecotone', rules.ecotoneTime, has('blobGasUsed')],
      ['Isthmus', rules.isthmusTime, has('requestsHash')],
      ['Jovian', rules.jovianTime, ({ extraData }) => JOVIAN_EXTRA_DATA.test(String(extraData))],
    ];
  return 'blobSchedule' in rules
    ? rules.blobSchedule.slice(0, 1).map(({ from }) => ['Cancun', from, has('blobGasUsed')])
    : [];
}

const at = (seconds: number): string => `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`;

/**
 * Compares a row with the headers of a node.
 * @param first the oldest block above genesis that the node provides
 * @param accepted throws if a header is refused
 * @returns what differs, each as a sentence
 */
export async function compareRow(
  chain: Chain,
  rpc: Rpc,
  { first: oldest, last }: { readonly first: number; readonly last: number },
  accepted: <T>(attempt: Attempt<T>) => T,
): Promise<readonly string[]> {
  const read = async (number: number) => {
    const answer = await getBlockHeader(rpc, number);
    const header = await validateHeader({ chain, evidence: 'checked' }, number, answer);
    return { ...accepted(header), fields: answer as Fields };
  };
  const differences: string[] = [];
  // Headers before it have other fields.
  const begin = 1 + (chain.firstBlock ?? 0);
  const first = Math.max(begin, oldest);
  const day = first === begin && first <= last ? dayOf((await read(first)).timestamp) : chain.firstDay;
  if (day !== chain.firstDay)
    differences.push(`Block ${first} is of ${day}, and the first day of the row is ${chain.firstDay}.`);
  for (const [name, time, isIn] of shownForks(chain.rules)) {
    // Headers keep their form after a fork, so a binary search finds its first block.
    let [before, from] = [first - 1, last + 1];
    while (from - before > 1) {
      const middle = before + Math.floor((from - before) / 2);
      if (isIn((await read(middle)).fields)) from = middle;
      else before = middle;
    }
    const since = from > last ? Infinity : (await read(from)).timestamp;
    const until = before < first ? -Infinity : (await read(before)).timestamp;
    if (until < time && time <= since) continue;
    const found = from > last ? 'no header' : `the headers from block ${from} (${at(since)}) on`;
    differences.push(`${name} is at ${at(time)} by the row, but has changed ${found}.`);
  }
  return differences;
}
