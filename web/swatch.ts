import type { ChainName } from '../lambda/chains/chains.ts';
import { lineStyleOf } from './line-styles.ts';

const SVG = 'http://www.w3.org/2000/svg';

/** Draws a short piece of a chain's line. */
export function createSwatch(chain: ChainName): SVGElement {
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
