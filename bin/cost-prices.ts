/* Prices and loads of docs/operate/cost.md. */

/** Dollars in us-east-1. */
export const PRICE = {
  gbSecond: 0.0000133334,
  lambdaMillion: 0.2,
  apiMillion: 3.5,
  aclMillion: 0.6,
  alarmMetric: 0.1,
  composite: 0.5,
  metric: 0.3,
  gbOut: 0.09,
  logGb: 0.5,
  natHour: 0.045,
  natGb: 0.045,
} as const;

export const DAYS = 30;

/** Blocks and megabytes a day. */
export const loads = {
  Ethereum: { blocks: 7_200, mb: 8_400 },
  Optimism: { blocks: 43_200, mb: 10_600 },
  Polygon: { blocks: 49_400, mb: 25_300 },
  BSC: { blocks: 192_000, mb: 63_400 },
  Arbitrum: { blocks: 345_600, mb: 17_500 },
  Base: { blocks: 432_000, mb: 55_500 },
} as const;

/** Read from nodes a day, not compressed. */
export const GB_OF_SIX = Object.values(loads).reduce((sum, { mb }) => sum + mb, 0) / 1_000;
