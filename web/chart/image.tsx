import { render } from 'preact';
import { panelsOf } from '../model/panels.ts';
import type { Shown } from '../model/shown.ts';
import { Chart } from './chart.tsx';
import { geometryOf } from './geometry.ts';

/* Renders the charts as a PNG: at a size of their own, with the page's styles, and text above and below. */

/** Pixels of the image per CSS pixel. */
const SCALE = 2;
const MARGIN = 24;
const LINE = 20;
const SIZE = { width: 1_200, height: 400 } as const;
/** Characters of a line of notes. */
const COLUMNS = 180;

interface Props {
  readonly shown: Shown;
  readonly title: string;
  /** Lines below the charts. */
  readonly notes: readonly string[];
}

export async function renderImage(props: Props): Promise<Blob> {
  const holder = document.createElement('div');
  render(<Picture {...props} />, holder);
  const svg = holder.firstElementChild as SVGElement;
  // The content security policy forbids setting the attribute.
  svg.style.colorScheme = document.documentElement.style.colorScheme;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width * SCALE, image.height * SCALE);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob();
}

function Picture({ shown, title, notes }: Props) {
  const panels = panelsOf(shown);
  const lines = notes.flatMap((note) => note.match(new RegExp(`.{1,${COLUMNS}}(?:\\s|$)`, 'g')) ?? []);
  const topOf = (index: number) => MARGIN + 36 + index * (SIZE.height + 36);
  const bottom = topOf(panels.length);
  const size = { width: SIZE.width + 2 * MARGIN, height: bottom + lines.length * LINE + MARGIN };
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
  return (
    <svg {...size} font-family="system-ui, sans-serif" font-size="12" fill="var(--muted)" aria-hidden="true">
      <style>{rules.map(({ cssText }) => cssText).join('\n')}</style>
      <rect {...size} fill="var(--card)" />
      <text x={MARGIN} y={MARGIN + 14} font-size="18" font-weight="700" fill="var(--ink)">
        {title}
      </text>
      {panels.map((panel, index) => (
        <g key={panel.unit}>
          <text x={MARGIN} y={topOf(index) + 10}>
            {panel.unit}
          </text>
          <svg class="plot" x={MARGIN} y={topOf(index) + LINE} {...SIZE} aria-hidden="true">
            <Chart geometry={geometryOf(shown.dates, panel.lines, SIZE, shown.view)} {...{ panel, shown }} />
          </svg>
        </g>
      ))}
      {lines.map((line, index) => (
        <text key={line} x={MARGIN} y={bottom + index * LINE + 10}>
          {line}
        </text>
      ))}
    </svg>
  );
}
