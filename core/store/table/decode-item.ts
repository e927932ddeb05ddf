import * as z from 'zod/mini';
import { printable } from '../../printable.ts';
import type { ItemKey } from './keys.ts';
import { type ChainReader, type Item, queryItems, type TableQuery } from './table.ts';

/** A stored item cannot be read. Other chains are not affected. */
export class InvalidItemError extends Error {
  override readonly name = 'InvalidItemError';
  readonly chain: string;
  /** Sort key: the date of a day, or the kind of the item. */
  readonly item: string;

  constructor({ chain, date }: ItemKey, problem: string) {
    super(
      `The item ${chain} ${printable(date)} cannot be read: ${problem}. docs/operate/runbook.md says how to repair it.`,
    );
    this.chain = chain;
    this.item = date;
  }
}

/** @throws InvalidItemError with the key of an item that the schema refuses */
export function decodeItem<Schema extends z.ZodMiniType>(
  schema: Schema,
  chain: string,
  item: Item | undefined,
): z.output<Schema> {
  const { success, data, error } = schema.safeParse(item);
  if (success) return data;
  throw new InvalidItemError({ chain, date: String(item?.date ?? 'unknown') }, describeIssues(error.issues));
}

/** Reads an item; returns undefined when there is none. @throws InvalidItemError */
export async function readItem<Schema extends z.ZodMiniType>(
  schema: Schema,
  { table, chain }: ChainReader,
  key: ItemKey,
): Promise<z.output<Schema> | undefined> {
  const item = await table.getItem(key);
  return item && decodeItem(schema, chain, item);
}

/** Reads all items of a query. @throws InvalidItemError */
export async function readItems<Schema extends z.ZodMiniType>(
  schema: Schema,
  { table, chain }: ChainReader,
  query: TableQuery,
): Promise<z.output<Schema>[]> {
  return (await queryItems(table, query)).map((item) => decodeItem(schema, chain, item));
}

const MAX_PROBLEMS = 10;
const MAX_NAME_LENGTH = 100;

/** Lists the attributes that are unknown, missing or invalid. */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  const problems = issues.flatMap(({ path, ...issue }) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.slice(0, MAX_PROBLEMS).map((key) => {
          return `${[...path, printable(key.slice(0, MAX_NAME_LENGTH))].join('.')} is unknown`;
        })
      : [`${path.join('.') || 'the object'} is missing or invalid`],
  );
  return problems.slice(0, MAX_PROBLEMS).join(', ');
}

/** Returns the schema of a value that is stored as JSON. Other text is invalid. */
export const jsonText = <Schema extends z.ZodMiniType>(
  schema: Schema,
): z.ZodMiniPipe<z.ZodMiniString, z.ZodMiniPipe<z.ZodMiniTransform<unknown, string>, Schema>> =>
  z.pipe(z.string(), z.pipe(z.transform(parseJson), schema));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
