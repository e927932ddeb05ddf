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

const SVG = 'http://www.w3.org/2000/svg';

/** A piece of the line. */
export function swatchOf(chain: ChainName): SVGElement {
  const { color, dash } = lineStyleOf(chain);
  const svg = document.createElementNS(SVG, 'svg');
  const line = document.createElementNS(SVG, 'line');
  for (const [name, value] of Object.entries({ width: '30', height: '8', 'aria-hidden': 'true' }))
    svg.setAttribute(name, value);
  for (const [name, value] of Object.entries({ x1: '0', x2: '30', y1: '4', y2: '4' }))
    line.setAttribute(name, value);
  line.setAttribute('stroke', 'currentColor');
  line.setAttribute('stroke-width', '3');
  line.setAttribute('stroke-dasharray', dash.join(' '));
  svg.style.color = color;
  svg.append(line);
  return svg;
}
