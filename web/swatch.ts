import type { ChainName } from '../lambda/chains/chains.ts';
import { lineStyleOf } from './chart-data.ts';

/** Draws a short piece of a chain's line. */
export function createSwatch(chain: ChainName): SVGElement {
  const { color, dash } = lineStyleOf(chain);
  const svg = svgElement('svg', { width: '30', height: '8', 'aria-hidden': 'true' });
  const line = { x2: '30', y1: '4', y2: '4', stroke: 'currentColor', 'stroke-width': '3' };
  svg.append(svgElement('line', { ...line, 'stroke-dasharray': dash.join(' ') }));
  svg.style.color = color;
  return svg;
}

function svgElement(tag: 'svg' | 'line', attributes: Readonly<Record<string, string>>): SVGElement {
  const created = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  return created;
}
