import { readBlockFrom } from '#core/blocks/nodes/read-block.ts';
import { readRaw } from '#core/blocks/nodes/read-raw-block.ts';
import type { Chain } from '#core/chains/chains.ts';
import type { ValidBlock } from '#core/figures/block.ts';
import { dayOf, type UtcDay } from '#core/figures/calendar.ts';
import type { PriceSource } from '#core/figures/dollars.ts';
import { addTotals, NO_TOTALS, type Totals } from '#core/figures/totals.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import type { RecordedBlock } from '#test/support/generators/chains/real-nodes.ts';
import { type NodeAnswer, startJsonRpcServer } from './json-rpc-server.ts';
import { rpcTo } from './source.ts';

/** Answers with recorded blocks. */
function answerRecorded(blocks: readonly RecordedBlock[]): NodeAnswer {
  const byNumber = new Map(blocks.map((block) => [block.number, block]));
  return ({ method, params: [at] }) => {
    const { json, raw } = byNumber.get(Number(at)) ?? {};
    switch (method) {
      case 'eth_getBlockByNumber':
        return { result: json?.block ?? null };
      case 'eth_getBlockReceipts':
        return { result: json?.receipts ?? null };
      case 'debug_getRawBlock':
        return { result: raw?.block ?? '0x' };
      case 'debug_getRawReceipts':
        return { result: raw?.receipts ?? null };
      default:
        return { error: { code: -32601, message: `the method ${method} does not exist` } };
    }
  };
}

/** Reads recorded blocks over HTTP in one form. @throws Error with the reason when one is refused */
export async function readRecordedBlocks(
  chain: Chain,
  blocks: readonly RecordedBlock[],
  form: 'JSON' | 'RLP',
  feed?: PriceSource,
): Promise<readonly ValidBlock[]> {
  await using node = await startJsonRpcServer(answerRecorded(blocks));
  const rpc = rpcTo(endpointOf(chain, node.url));
  const rules = { chain, evidence: 'proven', feed } as const;
  const read: ValidBlock[] = [];
  for (const { number } of blocks) {
    const attempt =
      form === 'RLP'
        ? await readRaw(rules, number, rpc)
        : await readBlockFrom(rules, number, rpc, 'recorded');
    if (!attempt || 'refused' in attempt) throw new Error(attempt?.refused ?? `no RLP of block ${number}`);
    const { host: _, ...valid } = { host: '', ...attempt.value };
    read.push(valid);
  }
  return read;
}

/** Leaves out whether receipts state a price, which only JSON does. */
export const figuresOf = ({ isPriceStated: _, ...figures }: ValidBlock): ValidBlock => figures;

/** Adds blocks up by UTC day. */
export function totalsByDay(blocks: readonly ValidBlock[]): Readonly<Record<UtcDay, Totals>> {
  const days: Record<UtcDay, Totals> = {};
  for (const { timestamp, totals } of blocks) {
    const day = dayOf(timestamp);
    days[day] = addTotals(days[day] ?? NO_TOTALS, totals);
  }
  return days;
}
