import type { AttributeValue, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import * as z from 'zod';
import { addDays, type UtcDay } from '../../core/figures/calendar.ts';
import type { Provenance } from '../../core/figures/day-figures.ts';
import { NO_FEES } from '../../core/figures/fee-parts.ts';
import { NO_TOTALS } from '../../core/figures/totals.ts';
import { TABLE_FORMAT } from '../../core/store/chain/coverage.ts';
import { toDayItem } from '../../core/store/days/day-item.ts';
import { toDetailAttributes } from '../../core/store/days/details.ts';
import { revisionKey } from '../../core/store/table/keys.ts';

/* A table with prepared responses, so that benchmarks measure the client and not an emulator. */

export const CANNED_FIRST_DAY: UtcDay = '2015-07-30';
export const DAYS = 4_100;
export const LAST_DAY = addDays(CANNED_FIRST_DAY, DAYS - 1);

/** DynamoDB ends a page at 1 MB. A read unit covers 4 KB, or 8 KB of an eventually consistent read. */
const PAGE_BYTES = 1_000_000;
const UNIT_BYTES = 4_096;

const requestSchema = z.object({
  ConsistentRead: z.boolean().default(false),
  ProjectionExpression: z.string().optional(),
  Key: z.object({ date: z.object({ S: z.string() }) }).optional(),
  ExclusiveStartKey: z.object({ date: z.object({ S: z.string() }) }).optional(),
  ExpressionAttributeValues: z
    .object({ ':first': z.object({ S: z.string() }), ':last': z.object({ S: z.string() }) })
    .optional(),
});

interface Response {
  readonly text: string;
  readonly bytes: number;
}

const responseOf = (item: Record<string, AttributeValue>): Response => ({
  text: JSON.stringify({ Item: item }),
  bytes: sizeOf({ M: item }),
});

/**
 * @param days number of final days, of all that are stored
 * @param others items beside the coverage and the days, by their sort keys
 */
export function openCannedTable(days = DAYS, others: Readonly<Record<string, object>> = {}) {
  let coverage = coverageOf(days);
  const options = { removeUndefinedValues: true };
  const found = new Map(
    Object.entries(others).map(([date, item]) => [date, responseOf(marshall(item, options))]),
  );
  const itemAt = (date: string): Response =>
    date === 'coverage' ? coverage : (found.get(date) ?? { text: '{}', bytes: 1 });
  const cost = { queries: 0, gets: 0, units: 0 };
  const answer = (operation: string, input: unknown): string => {
    const request = requestSchema.parse(input);
    const isQuery = operation === 'Query';
    const { text, bytes } = isQuery ? pageOf(request) : itemAt(request.Key?.date.S ?? '');
    cost[isQuery ? 'queries' : 'gets'] += 1;
    cost.units += Math.ceil(bytes / UNIT_BYTES) * (request.ConsistentRead ? 1 : 0.5);
    return text;
  };
  const handle = async ({ headers, body }: HttpRequest) => {
    const operation = headers['x-amz-target']?.split('.')[1] ?? '';
    const text = answer(operation, JSON.parse(new TextDecoder().decode(body)));
    return { response: new HttpResponse({ statusCode: 200, body: Buffer.from(text) }) };
  };
  const credentials = { accessKeyId: 'canned', secretAccessKey: 'canned' };
  /** Returns the queries and read capacity units since the last call. */
  const takeCost = () => {
    const taken = { ...cost };
    Object.assign(cost, { queries: 0, gets: 0, units: 0 });
    return taken;
  };
  const publishDay = () => {
    coverage = coverageOf(++days);
  };
  const config: DynamoDBClientConfig = { region: 'local', credentials, requestHandler: { handle } };
  return { answer, config, takeCost, publishDay };
}

const hash = `0x${'ab'.repeat(32)}`;

const hosts = ['eth.drpc.org', 'ethereum-rpc.publicnode.com'];

const provenance: Provenance = {
  softwareVersion: '1.0.0',
  ingestedAt: new Date('2026-11-21T00:05:00Z'),
  hosts,
  evidence: 'proven',
  provenBlocks: 7_200,
  finality: { kind: 'reported', hosts },
};

/** The fees of 1.2 million transactions, in 300 buckets. */
const details = {
  hours: Array.from({ length: 24 }, () => NO_TOTALS),
  feeCounts: new Map(Array.from({ length: 300 }, (_, index) => [700 + index, 4_000])),
};

/** Items as the ingest stores them, with figures of Ethereum's magnitude. */
const days = Array.from({ length: DAYS }, (_, index) => {
  const execution = 358_558_440_870_590_355_682n + BigInt(index);
  const figures = {
    day: addDays(CANNED_FIRST_DAY, index),
    totals: {
      blocks: 7_200,
      transactions: 1_200_000 + index,
      protocolTransactions: 0,
      fees: { ...NO_FEES, execution, blob: 1_234_567_890_123_456_789n },
      measures: {
        gasUsed: 108_000_000_000n + BigInt(index),
        failedTransactions: 21_000n,
        priorityFees: 90_558_440_870_590_355_682n,
        blobs: 25_000n,
      },
    },
    parentHash: hash,
    first: { number: 7_200 * index, hash },
    last: { number: 7_200 * index + 7_199, hash },
    definitionVersion: 1,
  };
  return marshall(
    { chain: 'ETHEREUM', ...toDayItem(figures, provenance, 1, details) },
    { removeUndefinedValues: true },
  );
});
const detailAttributes = marshall(toDetailAttributes(details), { removeUndefinedValues: true });
/** In the order of their keys. */
const items = [
  ...days,
  ...days.map(
    (_, index): Record<string, AttributeValue> => ({
      ...detailAttributes,
      ...marshall(
        revisionKey({ chain: 'ETHEREUM' }, 'details', { day: addDays(CANNED_FIRST_DAY, index), revision: 1 }),
      ),
    }),
  ),
];
const sizes = items.map((item) => sizeOf({ M: item }));

/** Returns a size in bytes as DynamoDB computes it: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
function sizeOf({ S, N, L, M }: AttributeValue): number {
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return 1 + Math.ceil(N.length / 2);
  const members = M ? Object.entries(M) : (L ?? []).map((value) => ['', value] as const);
  return members.reduce((sum, [name, value]) => sum + name.length + sizeOf(value) + 1, 3);
}

function coverageOf(days: number): Response {
  const last = addDays(CANNED_FIRST_DAY, days - 1);
  return responseOf(
    marshall({
      format: TABLE_FORMAT,
      days: `${CANNED_FIRST_DAY} p${days}`,
      from_day: CANNED_FIRST_DAY,
      through_day: last,
      last_day: last,
      revision: days,
      changes: [],
      changes_since: 0,
      summary: {
        by_evidence: { proven: { days, first: CANNED_FIRST_DAY, last, since: '2026-11-21T00:05:00.000Z' } },
      },
      waiting_days: 0,
      begun_at: '2026-10-22T00:00:00.000Z',
    }),
  );
}

const pages = new Map<string, Response>();

function pageOf(request: z.output<typeof requestSchema>): Response {
  const key = JSON.stringify(request);
  const page = pages.get(key) ?? makePage(request);
  pages.set(key, page);
  return page;
}

function makePage({
  ExclusiveStartKey,
  ExpressionAttributeValues,
  ProjectionExpression,
}: z.output<typeof requestSchema>) {
  const { ':first': first, ':last': last } = ExpressionAttributeValues ?? {};
  const after = ExclusiveStartKey?.date.S ?? '';
  const dates = items.map((item) => item.date?.S ?? '');
  const begin = dates.findIndex((date) => date > after && date >= (first?.S ?? ''));
  const found = dates.findLastIndex((date) => date <= (last?.S ?? ''));
  let bytes = 0;
  let end = Math.max(0, begin);
  while (end <= found && bytes < PAGE_BYTES) bytes += sizes[end++] ?? 0;
  const projected = items.slice(Math.max(0, begin), end).map((item) => project(item, ProjectionExpression));
  const next =
    end <= found ? { LastEvaluatedKey: marshall({ chain: 'ETHEREUM', date: dates[end - 1] }) } : {};
  return { text: JSON.stringify({ Items: projected, Count: end - begin, ...next }), bytes };
}

function project(item: Record<string, AttributeValue>, expression = ''): Record<string, AttributeValue> {
  if (expression === '') return item;
  const names = expression.split(', ').map((name) => name.replace('#', ''));
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}
