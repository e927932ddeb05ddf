import { type ChainName, chainNames } from '../lambda/chains/chains.ts';

/** How a chain's line looks. Chains differ in dash as in color, for whoever cannot tell the colors apart. */
export interface LineStyle {
  /** As CSS has it, for light and dark. */
  readonly color: string;
  /** Lengths of dashes and gaps, in CSS pixels. */
  readonly dash: readonly number[];
}

const dashes = [[], [9, 4], [3, 3], [12, 4, 3, 4], [18, 5], [6, 3, 2, 3, 2, 3]];

/** The same for a chain wherever it is drawn. More chains than colors begin anew, with another dash. */
export function lineStyleOf(chain: ChainName): LineStyle {
  const index = chainNames.indexOf(chain);
  const round = Math.floor(index / dashes.length);
  return {
    color: `var(--line-${index % dashes.length})`,
    dash: dashes[(index + round) % dashes.length] ?? [],
  };
}
