import { createHash } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { type ChainName, chainNames } from '../chains/chains.ts';
import type { UtcDay } from '../figures/calendar.ts';
import { printable, printableJson } from '../printable.ts';
import type { Attributes } from '../store/table/client.ts';
import { jsonText } from '../store/table/decode-item.ts';
import type { Item } from '../store/table/table.ts';
import { EXPORTS } from './export-folder.ts';

/*
 * An export of the table is a folder with a file for each chain. The manifest is written last, so a folder without one is incomplete.
 * Each line of a file is an item in the form of DynamoDB's own exports, which keeps every attribute and digit.
 */

export const folderOf = (day: UtcDay): string => `${EXPORTS}/${day}`;

export const fileNameOf = (chain: ChainName): string => `${chain}.ndjson.gz`;

const count = z.int().check(z.nonnegative());

const manifestSchema = z.object({
  format: z.literal(1),
  exported_at: z.iso.datetime(),
  software_version: z.string(),
  chains: z.array(
    z.object({
      chain: z.enum(chainNames),
      /** The hash of the stored file. */
      sha256: z.string(),
      bytes: count,
      items: count,
      days: count,
      first_day: z.optional(z.string()),
      last_day: z.optional(z.string()),
    }),
  ),
});

export type Manifest = z.output<typeof manifestSchema>;

export const encodeManifest = (manifest: Manifest): Buffer =>
  Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);

/** Decodes a manifest; returns undefined if it is not one of this version. */
export const decodeManifest = (bytes: Buffer): Manifest | undefined =>
  jsonText(manifestSchema).safeParse(bytes.toString()).data;

export const sha256Of = (bytes: Buffer, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHash('sha256').update(bytes).digest(encoding);

export const encodeItem = (item: Attributes): string => `${printableJson(JSON.stringify({ Item: item }))}\n`;

/** An item, or the reason why a line is none. */
type DecodedLine = { readonly item: Item } | { readonly problem: string };

/** Decodes the lines of a file one by one, with their numbers. Skips blank lines. */
export function* decodeLines(text: string): Generator<DecodedLine & { readonly line: number }> {
  for (let start = 0, line = 1; start < text.length; line++) {
    const end = text.indexOf('\n', start);
    const content = text.slice(start, end < 0 ? undefined : end);
    if (content.trim() !== '') yield { line, ...decodeLine(content) };
    start += content.length + 1;
  }
}

/** Characters. An item of the table has 400 kB at most, which are up to five times as many characters. */
const MAX_LINE = 2_000_000;
const MAX_REASON = 200;

const lineSchema = z.object({ Item: z.record(z.string(), z.custom<AttributeValue>()) });

function decodeLine(content: string): DecodedLine {
  if (content.length > MAX_LINE) return { problem: 'longer than 2 MB, so it is not an item of the table' };
  try {
    const { data } = lineSchema.safeParse(JSON.parse(content, refuseLongList));
    if (!data) return { problem: 'not an item of the table, such as {"Item": {"chain": {"S": "BSC"}, …}}' };
    return { item: unmarshall(data.Item, { wrapNumbers }) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `not an item of the table: ${printable(reason.slice(0, MAX_REASON))}` };
  }
}

/** More elements fit no item of the table, and each invalid one costs an issue of its schema. An audit lists each of its ranges. */
const MAX_ELEMENTS = 100_000;

function refuseLongList(_: string, value: unknown): unknown {
  if (Array.isArray(value) && value.length > MAX_ELEMENTS) throw new Error('a list is too long');
  return value;
}

/** Leaves other text than a whole number, of which DynamoDB keeps 38 digits, for the schemas, whose errors name the attribute. */
const wrapNumbers = (text: string): bigint | string =>
  /^(0|[1-9]\d{0,37})$/.test(text) ? BigInt(text) : text;
