import * as z from 'zod/mini';
import type { Route } from '../api/routes.ts';

const count = z.int().check(z.nonnegative());
const amount = z.string().check(z.regex(/^\d+(\.\d{1,18})?$/));
const date = z.iso.date();

/** The rows of the routes that the probe calls, with the fields that clients rely on. Others may be added. */
export const rowSchemas = {
  transaction_count: z.object({ date, transaction_count: count }),
  fees: z.object({ date, fees: amount }),
  days: z.object({
    date,
    transaction_count: count,
    user_transaction_count: count,
    protocol_transaction_count: count,
    fees: amount,
    last_block: z.object({ number: count, hash: z.string().check(z.regex(/^0x[0-9a-f]{64}$/)) }),
    evidence: z.enum(['proven', 'checked']),
  }),
  chains: z.object({ chain: z.string(), last_final_day: z.nullable(date) }),
} as const satisfies Partial<Record<Route['name'], z.ZodMiniType>>;

/** Rows, or why a response is not as documented. */
export type RowsRead<Row> = { readonly rows: readonly Row[] } | { readonly problem: string };

/** Reads the rows of a response. @param body the response as text, JSON if it is right */
export function readRows<Row>(schema: z.ZodMiniType<Row>, status: number, body: string): RowsRead<Row> {
  if (status !== 200) return { problem: `the status is ${status}: ${body.slice(0, 300)}` };
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { problem: `the body is not JSON: ${body.slice(0, 300)}` };
  }
  const rows = z.array(schema).safeParse(value);
  if (rows.success) return { rows: rows.data };
  const [issue] = rows.error.issues;
  return { problem: `the body is not as documented: ${issue?.path.join('.')}: ${issue?.message}` };
}
