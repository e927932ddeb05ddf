import { formatCount } from './print.ts';

/* The prices of calls to nodes that providers publish: docs/operate/cost.md#nodes. */

const MILLION = 1e6;

/** Returns the dollars of calls in a month, by compute units: 20 a call, a million for $0.45 up to 300 million, and for $0.40 above. */
function byUnits(calls: number): number {
  const millions = (calls * 20) / MILLION;
  return Math.min(millions, 300) * 0.45 + Math.max(0, millions - 300) * 0.4;
}

/** Returns the dollars of calls in a month, by plan: 80 million for $199, 200 million for $499, then $10 a million. */
function byPlan(calls: number): number {
  if (calls <= 80 * MILLION) return 199;
  return 499 + Math.max(0, calls / MILLION - 200) * 10;
}

/** Returns what calls cost in a month by each published price. */
export const nodePrices = (calls: number) => ({ units: byUnits(calls), plan: byPlan(calls) });

/** Returns the most that calls need to cost: the cheaper price. Public nodes cost nothing. */
export function maxDollars(calls: number): number {
  const { units, plan } = nodePrices(calls);
  return Math.min(units, plan);
}

/** Formats a range that begins with public nodes, such as `$0 to $24`. */
export const formatDollars = (most: number): string =>
  most === 0 ? '$0' : `$0 to $${formatCount(Math.ceil(most))}`;
