import { auditRange, Difference, proveBounds } from '#cli/history/audit.ts';
import { openFile } from '#cli/history/open-file.ts';
import type { ArchiveRow } from '#cli/history/row.ts';
import { chainOf } from '#core/chains/chains.ts';
import { addDays, startOfDay } from '#core/figures/calendar.ts';
import { NO_FEES } from '#core/figures/fee-parts.ts';
import { NO_TOTALS, type Totals } from '#core/figures/totals.ts';
import { UNKNOWN_MEASURES } from '#test/support/generators/blocks/builders.ts';
import { blockResponse, hex, type RawBlock } from '#test/support/generators/blocks/seal.ts';
import { sealedBlock } from '#test/support/generators/blocks/sealed-block.ts';
import { answerFrom, reseal, sampleSums } from '#test/support/generators/chains/sample-chain.ts';
import { DAY, oneWrongFee, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { serveAnswers } from '#test/support/nodes/hosts.ts';
import type { NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';

const anchor = {
  number: 9,
  hash: sampleBlocks[9]?.header.hash ?? '',
  parentHash: '',
  timestamp: 0,
  hosts: [],
};

const rowOf = (first: number, last: number, given: Partial<Totals> = {}): ArchiveRow => {
  const { transactions, fees } = sampleSums(first, last);
  const sums = { blocks: last - first + 1, transactions, fees: { ...NO_FEES, execution: fees } };
  return {
    line: 2,
    date: DAY,
    first,
    last,
    totals: { ...NO_TOTALS, ...sums, measures: UNKNOWN_MEASURES, ...given },
  };
};

const node = answerFrom(sampleBlocks);

async function audit(row: ArchiveRow, answers: readonly NodeAnswer[] = [node, node]) {
  using hosts = serveAnswers(answers);
  await auditRange({ ...hosts, anchor }, row, () => {});
}

test('a range is equal to its proven blocks', async () => {
  await audit(rowOf(1, 4));
  await audit(rowOf(2, 3));
});

test.each([
  [{ fees: { ...NO_FEES, execution: sampleSums(1, 4).fees + 1n } }, 'execution_fees 189001 → 189000'],
  [{ transactions: 3 }, 'transaction_count 3 → 4'],
  [{ protocolTransactions: 1 }, 'protocol_transaction_count 1 → 0'],
])('a range that differs in %j names the day, the range, the field and both values', async (given, words) => {
  const message = `ETHEREUM 2026-11-18, blocks 1 to 4 (file → proven): ${words}`;
  await expect(audit(rowOf(1, 4, given))).rejects.toMatchObject({ message });
});

test('a range that ends on the next day is refused', async () => {
  await expect(audit(rowOf(1, 5))).rejects.toMatchObject({
    message: expect.stringContaining('block 5 is of 2026-11-19T00:00:05.000Z'),
  });
});

test('a node that agrees with a wrong file cannot prove it', async () => {
  const liar = answerFrom(oneWrongFee);
  const wrong = rowOf(1, 4, { fees: { ...NO_FEES, execution: 168_000n } });
  await expect(audit(wrong, [liar, liar])).rejects.toThrow('repeat the command to continue');
  await expect(audit(wrong, [liar, node])).rejects.toBeInstanceOf(Difference);
});

test('a node whose own chain agrees with a wrong file is outvoted, or the audit waits', async () => {
  const forged = answerFrom(
    reseal(sampleBlocks, 2, (block) => ({ ...block, header: { ...block.header, extraData: '0x01' } })),
  );
  await expect(audit(rowOf(1, 4), [forged, node])).rejects.toThrow('repeat the command to continue');
  // A block that the liar gives first ends the audit, and the command is repeated.
  const repeated = (tries: number): Promise<void> =>
    audit(rowOf(1, 4), [forged, node, node]).catch((error: Error) => {
      if (tries === 1 || !error.message.includes('repeat the command')) throw error;
      return repeated(tries - 1);
    });
  await repeated(8);
});

const BSC = chainOf('BSC');

/** Answers with linked headers on both sides of the midnights of days that begin with these blocks. */
function boundaryNode(days: readonly ArchiveRow[]): NodeAnswer {
  const blocks = new Map<number, RawBlock>();
  const starts = [
    ...days.map(({ date, first }) => [date, first] as const),
    [addDays(days.at(-1)?.date ?? '', 1), (days.at(-1)?.last ?? 0) + 1] as const,
  ];
  for (const [date, first] of starts) {
    const at = (number: number, seconds: number, members = {}) =>
      sealedBlock(BSC, [], { number: hex(number), timestamp: hex(startOfDay(date) + seconds), ...members });
    const before = at(first - 1, -2);
    blocks.set(first - 1, before);
    blocks.set(first, at(first, 1, { parentHash: before.header.hash }));
  }
  return ({ method, params: [number, isFull] }) => {
    const block = blocks.get(Number(number));
    if (method !== 'eth_getBlockByNumber') return { error: { code: -32601, message: 'no such method' } };
    return { result: block ? blockResponse(block, isFull === true) : null };
  };
}

const openBsc = async (name: string) => {
  const { days } = await openFile(`test/fixtures/archives/${name}`, BSC);
  return days.map(({ firstHash: _, lastHash: __, ...day }) => day);
};

test('proves both ends of each day with two headers', async () => {
  const days = await openBsc('good-bsc-days.csv');
  const answer = boundaryNode(days);
  using hosts = serveAnswers([answer, answer], { chain: BSC });
  const bounds = await proveBounds({ ...hosts, anchor }, days, () => {});
  expect(bounds).toHaveLength(40);
  expect(bounds[0]?.figures.last.hash).toBe(bounds[1]?.figures.parentHash);
});

test('days that are cut at UTC+8 begin eight hours off, and that is said', async () => {
  const good = await openBsc('good-bsc-days.csv');
  const shifted = await openBsc('bad-utc-plus-8.csv');
  const real = boundaryNode(good);
  const early = new Map(
    shifted.slice(0, 1).flatMap(({ first, date }) => {
      const before = sealedBlock(BSC, [], {
        number: hex(first - 1),
        timestamp: hex(startOfDay(date) - 28_803),
      });
      const members = {
        number: hex(first),
        timestamp: hex(startOfDay(date) - 28_800),
        parentHash: before.header.hash,
      };
      return [
        [first - 1, before],
        [first, sealedBlock(BSC, [], members)],
      ];
    }),
  );
  const answer: NodeAnswer = (call) => {
    const block = early.get(Number(call.params[0]));
    return block ? { result: blockResponse(block, call.params[1] === true) } : real(call);
  };
  using hosts = serveAnswers([answer, answer], { chain: BSC });
  await expect(proveBounds({ ...hosts, anchor }, shifted.slice(0, 1), () => {})).rejects.toThrow(
    /BSC 2021-03-02: first_block: block \d+ is of 2021-03-01T16:00:00.000Z, 8 hours before midnight UTC.* may cut days in another time zone/,
  );
});

test('rows of another chain have other hashes than its nodes', async () => {
  const { days } = await openFile('test/fixtures/archives/bad-wrong-chain.csv', BSC);
  const answer = boundaryNode(days);
  using hosts = serveAnswers([answer, answer], { chain: BSC });
  await expect(proveBounds({ ...hosts, anchor }, days, () => {})).rejects.toThrow(
    /hashes differ \(file → proven\): first_block \d+ \(0x/,
  );
});
