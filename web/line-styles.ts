import { type ChainName, chainNames } from '../lambda/chains/chains.ts';

/** Color and dash pattern of a chain's line. Both differ, for readers who cannot tell the colors apart. */
export interface LineStyle {
  /** A CSS color for the light and the dark theme. */
  readonly color: string;
  /** Lengths of dashes and gaps in CSS pixels. */
  readonly dash: readonly number[];
}

const dashes = [[], [9, 4], [3, 3], [12, 4, 3, 4], [18, 5], [6, 3, 2, 3, 2, 3]];

/** Returns the style of a chain, the same in every chart. After six chains the colors repeat with other dashes. */
export function lineStyleOf(chain: ChainName): LineStyle {
  const index = chainNames.indexOf(chain);
  const round = Math.floor(index / dashes.length);
  return {
    color: `var(--line-${index % dashes.length})`,
    dash: dashes[(index + round) % dashes.length] ?? [],
  };
}
